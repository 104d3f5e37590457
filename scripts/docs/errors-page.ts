import { ERRORS, type ErrorSpec } from '../../src/serving/errors.ts';
import { code, type Page, pageHead, table } from './page.ts';

const RETRY: Readonly<Record<ErrorSpec['retryElsewhere'], string>> = {
  yes: 'yes',
  once: 'once, before the answer began',
  no: 'no',
};

export const errorsPage: Page = {
  file: 'errors.md',
  render() {
    const rows = Object.entries<ErrorSpec>(ERRORS).map(([name, spec]) => [
      code(name),
      String(spec.status),
      code(spec.type),
      spec.fault,
      RETRY[spec.retryElsewhere],
      spec.about,
    ]);
    return `${pageHead('Errors', 'src/serving/errors.ts')}
Every error that Penstock itself answers with has OpenAI's form, and a header \`x-penstock-error\` with its code:

\`\`\`json
{ "error": { "message": "...", "type": "server_error", "param": null, "code": "engine_unreachable" } }
\`\`\`

An answer without that header is the engine's own, passed through byte for byte. Whose fault an error is decides
how loud the log is: client errors are logged at info, those of engines at warn, those of the gateway at error.

${table(['code', 'status', 'type', 'fault of', 'tried on another engine', 'what it means and what to do'], rows)}`;
  },
};
