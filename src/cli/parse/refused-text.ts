import type { EngineProfile } from '../../engines/profile.ts';
import { COLUMNS, wrap } from '../wrap.ts';
import type { RefusedPage } from './page-report.ts';

/** What is wrong, the line where it is with a mark under it, and what that means. */
export function refusedText({ error, bytes, otherwise, form }: RefusedPage): string {
  const { line, column, message } = error;
  const what = form === undefined ? otherwise && otherwiseText(otherwise) : formText(form);
  return `${wrap('  ', `line ${line}, column ${column}: ${message}`)}\n${excerpt(bytes, line, column)}${what === undefined ? '' : `\n${what}`}
  Prometheus refuses a page whole, so nothing of it is read.
`;
}

function formText({ kind, title }: EngineProfile): string {
  return wrap('  ', `It looks like ${title}'s own form, which Penstock reads: add --kind ${kind}.`);
}

/** Advice for a body that is no page, or none to speak of. */
export function otherwiseText(otherwise: string): string {
  const advice = ADVICE.find(([words]) => otherwise.includes(words))?.[1];
  return wrap('  ', `This is ${otherwise}${advice === undefined ? '.' : `: ${advice}`}`);
}

const ADVICE: readonly (readonly [string, string])[] = [
  ['HTML', 'a web page or a proxy answered in place of the engine. Check host, port and path.'],
  ['XML', 'something else answered in place of the engine. Check host, port and path.'],
  [
    'JSON',
    'either an error message, or an engine that has its metrics as text elsewhere: TensorRT-LLM at /prometheus/metrics, Strata when text/plain is asked for.',
  ],
  ['gzip', 'unpack it first: gunzip -c FILE | penstock parse -'],
  ['empty', 'a page of no samples. An engine with metrics switched off, or a wrong path, answers so.'],
];

/** Around the place, as much as a line of a terminal holds. */
function excerpt(bytes: Uint8Array, line: number, column: number): string {
  const number = String(line);
  const before = `  ${number} | `;
  const room = COLUMNS - before.length;
  const characters = [...lineAt(bytes, line)];
  const start = Math.max(0, Math.min(column - 1 - Math.floor(room / 2), characters.length - room));
  const shown = characters
    .slice(start, start + room)
    .map(visible)
    .join('');
  return `${before}${shown}\n${' '.repeat(before.length + column - 1 - start)}^\n`;
}

/** Without splitting all of a large page. */
function lineAt(bytes: Uint8Array, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = bytes.indexOf(0x0a, start);
    if (next === -1) return '';
    start = next + 1;
  }
  const end = bytes.indexOf(0x0a, start);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    bytes.subarray(start, end === -1 ? bytes.length : end),
  );
}

/** Control characters would move the mark, or more than that. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfeff ? '\u00b7' : character;
}
