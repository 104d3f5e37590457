import { type Element, firstElements } from './json-elements.ts';
import { type Span, TopLevelScan, wantedKeys } from './json-scan.ts';

/** System messages that are looked behind for the first of the conversation, and how far into the body. */
const LOOK = { elements: 9, bytes: 262_144 };
const ROLE = wantedKeys('role');
/** A role stands near the beginning of its message. */
const ROLE_WITHIN_BYTES = 4_096;
const decoder = new TextDecoder();

/**
 * Chat and Messages: system and first message; Responses: instructions and input; completions: the prompt. As their
 * JSON stands in the bytes: a client that sends a conversation again writes its beginning as it did before.
 */
export function openingOf(body: Uint8Array, values: ReadonlyMap<string, Span>): string | undefined {
  const parts = [
    values.get('system'),
    values.get('instructions'),
    ...firstMessages(body, values.get('messages')),
    firstOf(body, values.get('input')),
    values.get('prompt'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.map((part) => excerpt(body, part)).join('\n');
}

function isList(body: Uint8Array, span: Span | undefined): span is Span {
  return span !== undefined && body[span.start] === 0x5b;
}

function firstOf(body: Uint8Array, span: Span | undefined): Element | undefined {
  return isList(body, span) ? firstElements(body, span, { ...LOOK, elements: 1 })[0] : span;
}

/** Up to the first that is no setting, which is in it. */
function firstMessages(body: Uint8Array, span: Span | undefined): readonly Element[] {
  if (!isList(body, span)) return [];
  const messages = firstElements(body, span, LOOK);
  const first = messages.findIndex((message) => !isSetting(body, message));
  return first === -1 ? messages : messages.slice(0, first + 1);
}

function isSetting(body: Uint8Array, { start, end }: Element): boolean {
  const message = body.subarray(start, end);
  const scan = new TopLevelScan(message, ROLE);
  scan.run(ROLE_WITHIN_BYTES);
  const role = 'values' in scan.result ? scan.result.values.get('role') : undefined;
  if (role === undefined) return false;
  const written = textOf(message, role.start, Math.min(role.end, role.start + 32));
  return written === '"system"' || written === '"developer"';
}

const EXCERPT = 2_048;

/** Both ends and the length: a long prompt differs from the next one in one of them. */
function excerpt(body: Uint8Array, { start, end }: Element): string {
  const head = textOf(body, start, Math.min(start + EXCERPT, end ?? Number.POSITIVE_INFINITY));
  if (end === undefined) return `${head}\u2026`;
  const length = end - start;
  if (length <= 2 * EXCERPT) return textOf(body, start, end);
  return `${head}\u2026${length}\u2026${textOf(body, end - EXCERPT, end)}`;
}

function textOf(body: Uint8Array, start: number, end: number): string {
  return decoder.decode(body.subarray(start, end));
}
