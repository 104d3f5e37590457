import type { Wanted } from '../routing/filters.ts';

/** Where kinds of engines differ; what is not here any engine is asked for. */
const APIS: ReadonlyMap<string, Wanted['api']> = new Map([
  ['chat/completions', 'chat'],
  ['completions', 'completions'],
  ['embeddings', 'embeddings'],
  ['responses', 'responses'],
  ['messages', 'messages'],
  ['messages/count_tokens', 'messages'],
  ['rerank', 'rerank'],
  ['tokenize', 'tokenize'],
  ['detokenize', 'tokenize'],
  ['audio/speech', 'audio'],
]);

export function apiOf(pathname: string): Wanted['api'] {
  return APIS.get(pathname.replace(/^\/v1\//, ''));
}

/** Paths that get a label of their own; a client may ask for any, so the rest share one. */
const KNOWN: ReadonlySet<string> = new Set([
  'chat/completions',
  'completions',
  'embeddings',
  'responses',
  'messages',
  'rerank',
  'score',
  'classify',
  'tokenize',
  'detokenize',
]);

export function endpointLabel(pathname: string): string {
  const rest = pathname.replace(/^\/v1\//, '');
  return KNOWN.has(rest) ? rest : 'other';
}
