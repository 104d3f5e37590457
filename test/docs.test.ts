import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { commands } from '../src/cli/commands.ts';
import { loadConfig } from '../src/config/load.ts';
import { profiles } from '../src/engines/index.ts';
import { ERRORS } from '../src/serving/errors.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** First cells of a Markdown table's rows that hold one code span. */
function codesIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

test('the page of errors and the catalogue name the same codes', () => {
  expect(codesIn(read('docs/reference/errors.md')).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test('the page of commands names every command and every option', () => {
  const page = read('docs/reference/cli.md');
  for (const { name, options } of commands) {
    expect(page).toContain(`## penstock ${name}\n`);
    for (const { flag } of options) expect(page).toContain(`--${flag}`);
  }
});

test("the README's table names every kind, every flag that a kind needs, and `kind` where a config must say it", () => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  for (const { kind, title, launch, onlyByConfig } of profiles) {
    const row = rows.find((line) => {
      const [engines = ''] = line.slice(2).split(' | ');
      return engines === title || engines.split(', ').includes(title);
    });
    expect(row, title).toBeDefined();
    if (onlyByConfig === true) expect(row, title).toContain(`\`kind: ${kind}\``);
    for (const { flag, needed } of launch) {
      if (needed) expect(row, `${title}: ${flag}`).toContain(flag.replace(/^\(no (.+)\)$/, '$1'));
    }
  }
});

test('ARCHITECTURE.md lists the modules there are, and CONTRIBUTING.md names no folder that is not', () => {
  const [, table = ''] = read('ARCHITECTURE.md').split('| module | what | may import |');
  const rows = [...table.matchAll(/^\| ([a-z]+)[^|]* \|/gm)].map(([, name = '']) => name);
  const modules = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(rows.toSorted()).toEqual(
    [...modules.map(({ name }) => name).filter((name) => name !== 'cli'), 'app'].toSorted(),
  );
  const folders = [...read('CONTRIBUTING.md').matchAll(/`((?:src|test|docs|changes|examples)\/[\w/-]*)`/g)];
  expect(folders.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(readdirSync(join(ROOT, 'examples')))('examples/%s says what it needs beside it', (file) => {
  const text = read(join('examples', file));
  const remarks = text
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .join('\n');
  const needed = [...text.matchAll(/\$\{(\w+)\}|File: (\S+)/g)].map(([, name, path]) => name ?? path ?? '');
  expect(needed.filter((one) => !remarks.includes(one))).toEqual([]);
});

test("the README's configurations are right", async () => {
  const blocks = [...read('README.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const configs = blocks.filter((block) => block.startsWith('engines:'));
  expect(configs.length).toBeGreaterThan(1);
  for (const config of configs) {
    await loadConfig('README.yaml', {
      env: { KITCHEN_KEY: 'sk-1' },
      readFile: (path) => Promise.resolve(path === 'README.yaml' ? config : 'sk-2\n'),
    });
  }
});

const markdown = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.md') && !/(^|[\\/])(node_modules|dist|\.git)[\\/]/.test(path),
);

test.each(markdown)('every relative link in %s leads somewhere', (path) => {
  const targets = [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
    ([, target = '']) => target,
  );
  expect(targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
});
