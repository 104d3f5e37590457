import { commands } from '../../src/cli/commands.ts';
import { helpOf } from '../../src/cli/help.ts';
import { code, type Page, pageHead, table } from './page.ts';

export const cliPage: Page = {
  file: 'cli.md',
  render() {
    const list = table(
      ['command', 'what it does'],
      commands.map(({ name, summary }) => [`[${code(`penstock ${name}`)}](#penstock-${name})`, summary]),
    );
    const each = commands.map(
      (command) => `## penstock ${command.name}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`,
    );
    return `${pageHead('Commands', 'src/cli')}
In a clone, \`npm run -s penstock -- COMMAND\` is the same as an installed \`penstock COMMAND\`.

${list}
| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | asked rightly, and something is wrong: an engine, a port, a fault of Penstock |
| 2 | asked wrongly: the one line on standard error says what and what is allowed |

${each.join('\n')}`;
  },
};
