import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

import {
  importProblems,
  importsOf,
  MAY_IMPORT,
  purityProblems,
  type SourceFile,
  STRANGERS,
  timeProblems,
} from './kit/architecture-rules.ts';

const SOURCE = join(import.meta.dirname, '../src');

/** Tests beside their sources may import what they like: they are not shipped. */
const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({
    path: path.split(sep).join('/'),
    text: readFileSync(join(SOURCE, path), 'utf8'),
  }));

test('modules import only what the table allows', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(importProblems)).toEqual([]);
});

test('pure modules reach for nothing but our own files', () => {
  expect(files.flatMap(purityProblems)).toEqual([]);
});

test('clocks, timers and chance are taken only from kit', () => {
  expect(files.flatMap(timeProblems)).toEqual([]);
});

test('the table itself keeps strangers apart and knows every module', () => {
  for (const one of STRANGERS) {
    const allowed = MAY_IMPORT[one];
    expect(allowed).not.toBe('all');
    expect(STRANGERS.filter((other) => allowed?.includes(other))).toEqual([]);
  }
  expect(new Set(files.map(({ path }) => path.split('/')[0]?.replace(/\.ts$/, '')))).toSatisfy(
    (modules: Set<string>) => [...modules].every((name) => name in MAY_IMPORT),
  );
});

test('the check sees every import there is: as many as lines that say "from"', () => {
  const sourceLines = (text: string): number => text.match(/ from '[^']+';$/gm)?.length ?? 0;
  for (const file of files) {
    expect(importsOf(file).length, file.path).toBeGreaterThanOrEqual(sourceLines(file.text));
  }
});

test.each<[path: string, text: string, problem: string | undefined]>([
  ['gateway/a.ts', "import { b } from '../scrape/b.ts';", 'gateway may not import scrape'],
  ['sim/a.ts', "import type { B } from '../gateway/b.ts';", 'sim may not import gateway'],
  ['slots/a.ts', "export * from '../sim/b.ts';", 'slots may not import sim'],
  ['provision/a.ts', "export { b } from '../scrape/b.ts';", 'provision may not import scrape'],
  ['scrape/a.ts', "import '../provision/b.ts';", 'scrape may not import provision'],
  ['scrape/deep/a.ts', "const b = await import('../../slots/b.ts');", 'scrape may not import slots'],
  ['kit/a.ts', "import {\n  b,\n  c,\n} from '../fleet/b.ts';", 'kit may not import fleet'],
  ['kit/a.ts', 'import { b } from "../fleet/b.ts";', 'kit may not import fleet'],
  ['catalog/a.ts', "type B = import('../engines/b.ts').B;", 'catalog may not import engines'],
  ['fleet/a.ts', "import { b } from '../config/b.ts';", 'fleet may not import config'],
  ['config/a.ts', "import { b } from '../cli/b.ts';", 'config may not import cli'],
  ['pages/a.ts', "import { b } from '../app.ts';", 'pages may not import app'],
  ['fleet/a.ts', "import { b } from '../../test/kit/b.ts';", 'outside src/'],
  ['things/a.ts', '', 'the module "things" is not in the import table'],
  ['routing/a.ts', "import { Fleet } from '../fleet/fleet.ts';", 'routing takes only types from fleet'],
  ['routing/a.ts', "import { systemClock } from '../kit/clock.ts';", 'routing takes only random and hash'],
  ['fleet/a.ts', "import { b } from '../exposition/b.ts';", 'fleet takes only types from exposition'],
  ['config/a.ts', "import { b } from '../routing/load.ts';", 'config takes only the list of policies'],
  ['sim/model/a.ts', "import { b } from '../driver.ts';", 'sim/model imports only itself'],
  ['sim/model/a.ts', "import { b } from '../../kit/log.ts';", 'sim/model imports only itself'],
  ['sim/model/a.ts', "import type { B } from '../../engines/b.ts';", 'sim/model imports only itself'],
  ['monitor/page/a.ts', "import { b } from '../feed.ts';", 'the page imports only the protocol'],
  ['routing/a.ts', "import type { EngineView } from '../fleet/engine-view.ts';", undefined],
  ['routing/a.ts', "import { hash32 } from '../kit/hash.ts';", undefined],
  ['sim/model/a.ts', "import type { Random } from '../../kit/random.ts';", undefined],
  ['config/a.ts', "import { policyNames } from '../routing/index.ts';", undefined],
  ['app.ts', "import { b } from './gateway/b.ts';\nimport { c } from './scrape/c.ts';", undefined],
  ['cli/demo/a.ts', "import { b } from '../../sim/b.ts';", undefined],
  ['kit/a.ts', "// as in: import { b } from '../fleet/b.ts';", undefined],
  ['kit/a.ts', "/** import { b } from '../fleet/b.ts' */", undefined],
])('planted in %s: %s', (path, text, problem) => {
  const found = importProblems({ path, text });
  if (problem === undefined) expect(found).toEqual([]);
  else expect(found.join('\n')).toContain(problem);
});

test.each<[path: string, text: string, impure: boolean]>([
  ['exposition/a.ts', "import { join } from 'node:path';", true],
  ['catalog/a.ts', "import fs from 'fs';", true],
  ['engines/a.ts', "import { z } from 'zod';", true],
  ['openai/a.ts', 'export const b = Buffer.from([]);', true],
  ['routing/a.ts', "const env = process.env['X'];", true],
  ['observe/a.ts', "await fetch('http://h');", true],
  ['sim/model/a.ts', "import 'node:fs';", true],
  ['sim/server.ts', "import { createServer } from 'node:http';", false],
  ['engines/a.ts', "import { b } from './b.ts';", false],
  ['engines/a.ts', 'const text = "process.env"; // Buffer.from', false],
  ['engines/a.ts', 'const running = state.process.count;', false],
])('planted in %s, impure or not: %s', (path, text, impure) => {
  expect(purityProblems({ path, text }).length > 0).toBe(impure);
});

test.each([
  'const a = Date.now();',
  'const a = Date\n  .now();',
  'const a = new Date();',
  'const a = new Date( );',
  'const a = new Date;',
  'const a = Date();',
  'const a = Math.random();',
  'const { random } = Math; const a = Math.random;',
  'setTimeout(f, 1);',
  'globalThis.setTimeout(f, 1);',
  'const id = setInterval(f, 1);',
  'const a = performance.now();',
  'const a = process.hrtime.bigint();',
  'const signal = AbortSignal.timeout(5);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import * as timers from 'timers';",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted code is a template itself
  'const a = `at ${Date.now()} it was`;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted code is a template itself
  'const a = `${`${{ b: `}` }.b}`} ${Math.random()}`;',
  'const a = b / c; const d = Math.random(); // e / f',
])('a clock, a timer or chance outside kit is found: %s', (text) => {
  expect(timeProblems({ path: 'gateway/a.ts', text })).not.toEqual([]);
  expect(timeProblems({ path: 'kit/a.ts', text })).toEqual([]);
});

test.each([
  'const a = new Date(clock.wallTime());',
  'const a = new Date(0).toISOString();',
  'const a: Date = b;',
  "const text = 'Date.now() and Math.random()';",
  '// setTimeout(f, 1) would not do',
  '/* Date.now() */ const a = 1;',
  'const a = `Date.now()`;',
  "const a = /Date.now()/.test(b) ? 'x' : \"it's\";",
  'socket.setTimeout(5_000);',
  'server.requestTimeout = 0;',
  'const resetTimeout = 1;',
])('what only looks like one is left alone: %s', (text) => {
  expect(timeProblems({ path: 'gateway/a.ts', text })).toEqual([]);
});
