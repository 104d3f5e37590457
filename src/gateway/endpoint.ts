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
