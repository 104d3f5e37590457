/** An address for a person or a log: what stands behind its "?" may be a key. */
export function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : `${url.slice(0, at)}?…`;
}
