import { posix } from 'node:path';

import { blanked } from './source-text.ts';

/** One source file; the path is relative to src/ and has forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Who may import whom, lowest first: design and ARCHITECTURE.md have the same table with the reasons. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[] | 'all'>> = {
  kit: [],
  exposition: [],
  catalog: ['exposition'],
  engines: ['catalog', 'exposition'],
  openai: [],
  fleet: ['engines', 'catalog', 'exposition', 'kit'],
  routing: ['fleet', 'openai', 'kit'],
  metrics: ['catalog', 'engines', 'exposition', 'kit'],
  scrape: ['fleet', 'engines', 'exposition', 'metrics', 'kit'],
  discovery: ['fleet', 'kit'],
  serving: ['openai', 'exposition', 'metrics', 'kit'],
  pages: ['serving', 'fleet', 'metrics', 'engines', 'catalog', 'exposition', 'kit'],
  gateway: ['serving', 'openai', 'routing', 'fleet', 'metrics', 'kit'],
  observe: ['catalog', 'engines', 'exposition'],
  provision: ['observe', 'fleet', 'metrics', 'kit'],
  monitor: ['pages', 'serving', 'fleet', 'metrics', 'observe', 'kit'],
  sim: ['serving', 'openai', 'engines', 'catalog', 'exposition', 'metrics', 'kit'],
  slots: ['serving', 'openai', 'catalog', 'exposition', 'metrics', 'kit'],
  config: ['catalog', 'engines', 'routing', 'kit'],
  app: 'all',
  cli: 'all',
};

/** These speak to each other only through functions that app.ts passes in. */
export const STRANGERS = ['gateway', 'scrape', 'sim', 'slots', 'provision'] as const;

/** Folders that stay free of I/O, so that every test of them is a table or a property. */
const PURE = ['exposition', 'catalog', 'engines', 'openai', 'routing', 'observe', 'sim/model'];

interface Import {
  readonly target: string;
  /** Gone after compilation: `import type`, `export type`. */
  readonly typeOnly: boolean;
}

const IMPORTS = [
  /\b(?:import|export)\s+(type\s+)?[^'";()]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /\bimport\s*()['"]([^'"]+)['"]/g,
  /\b(?:import|require)\s*()\(\s*['"]([^'"]+)['"]/g,
];

export function importsOf({ text }: SourceFile): readonly Import[] {
  const code = blanked(text, { strings: true });
  return IMPORTS.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, type, target = '']) => ({
      target,
      typeOnly: type !== undefined && type !== '',
    })),
  );
}

/** Every broken rule of the import table, as sentences; empty when all is well. */
export function importProblems(file: SourceFile): readonly string[] {
  const from = moduleOf(file.path);
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return [`${file.path}: the module "${from}" is not in the import table`];
  return importsOf(file).flatMap((one) => {
    if (!one.target.startsWith('.')) return [];
    const target = posix.join(posix.dirname(file.path), one.target);
    const to = moduleOf(target);
    const problem = from === to ? undefined : crossImportProblem(file.path, target, one, allowed);
    const inner = innerProblem(file.path, target);
    return [problem, inner]
      .filter((text) => text !== undefined)
      .map((text) => `${file.path} imports ${target}: ${text}`);
  });
}

function crossImportProblem(
  path: string,
  target: string,
  { typeOnly }: Import,
  allowed: readonly string[] | 'all',
): string | undefined {
  const from = moduleOf(path);
  const to = moduleOf(target);
  if (target.startsWith('../')) return 'outside src/';
  if (allowed !== 'all' && !allowed.includes(to)) return `${from} may not import ${to}`;
  if (from === 'fleet' && to === 'exposition' && !typeOnly) return 'fleet takes only types from exposition';
  if (from === 'routing' && to === 'fleet' && !typeOnly) return 'routing takes only types from fleet';
  if (from === 'routing' && to === 'kit' && !isKit(target, ['random', 'hash'], typeOnly)) {
    return 'routing takes only random and hash, and types, from kit';
  }
  if (from === 'config' && to === 'routing' && target !== 'routing/index.ts') {
    return 'config takes only the list of policies from routing';
  }
  return undefined;
}

/** Rules for folders inside a module. */
function innerProblem(path: string, target: string): string | undefined {
  if (path.startsWith('sim/model/') && !target.startsWith('sim/model/')) {
    const fine = target.startsWith('kit/') && isKit(target, ['random', 'hash'], false);
    return fine ? undefined : 'sim/model imports only itself and random and hash of kit';
  }
  if (path.startsWith('monitor/page/') && !target.startsWith('monitor/page/')) {
    const fine = target === 'monitor/protocol.ts' || target.startsWith('observe/');
    return fine ? undefined : 'the page imports only the protocol and the panels of observe';
  }
  return undefined;
}

function isKit(target: string, files: readonly string[], typeOnly: boolean): boolean {
  return typeOnly || files.some((name) => target === `kit/${name}.ts`);
}

/** What reaches beyond our own files from a folder that must not. */
export function purityProblems(file: SourceFile): readonly string[] {
  const pure = PURE.find((folder) => file.path.startsWith(`${folder}/`));
  if (pure === undefined) return [];
  const code = blanked(file.text, { strings: false });
  const globals = [...code.matchAll(/(?<![.\w])(process|Buffer|fetch|require)(?=\s*[.(])/g)].map(
    ([, name]) => name,
  );
  return [
    ...importsOf(file).flatMap(({ target }) => (target.startsWith('.') ? [] : [target])),
    ...globals,
  ].map((what) => `${file.path} uses ${what}: ${pure} is pure`);
}

const TIME_AND_CHANCE: readonly (readonly [string, RegExp])[] = [
  ['Date.now', /\bDate\s*\.\s*now\b/],
  ['the current Date', /\bnew\s+Date\b(?!\s*\(\s*[^)\s])|(?<![.\w]|new\s+)Date\s*\(\s*\)/],
  ['Math.random', /\bMath\s*\.\s*random\b/],
  ['a timer', /(?:(?<![.\w])|globalThis\s*\.\s*)set(?:Timeout|Interval)\b/],
  ['a timer', /\bAbortSignal\s*\.\s*timeout\b/],
  ['performance.now', /\bperformance\s*\.\s*now\b/],
  ['the process clock', /\bprocess\s*\.\s*hrtime\b/],
];

/** Clocks, timers and chance outside kit/: whoever needs them is passed a Clock or a Random. */
export function timeProblems(file: SourceFile): readonly string[] {
  if (file.path.startsWith('kit/')) return [];
  const code = blanked(file.text, { strings: false });
  const used = TIME_AND_CHANCE.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  const timers = importsOf(file).filter(({ target }) => /^(?:node:)?timers(?:\/|$)/.test(target));
  return [...used, ...timers.map(({ target }) => target)].map(
    (what) => `${file.path} uses ${what}: only kit/ may`,
  );
}

/** The first folder of a path, or the name of a file that lies in src/ itself. */
function moduleOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.ts$/, '');
}
