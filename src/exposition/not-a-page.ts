/** Enough to tell what a body is, without reading all of a large one. */
const HEAD_BYTES = 1024;

/**
 * What a body is, in words, when it is no metrics page at all: 'an HTML page', 'a JSON document', ... Undefined
 * for all that may be one, however broken.
 *
 * Prometheus scrapes an empty body as zero samples; a proxy, a wrong path or an engine with metrics switched off
 * answers so, hence it is named here.
 */
export function notAPage(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'a gzip-compressed body';
  let start = 0;
  while (isSpace(bytes[start])) start += 1;
  if (start === bytes.length) return 'an empty body';
  // The decoder drops a byte order mark, which some servers put before HTML and JSON.
  const head = new TextDecoder().decode(bytes.subarray(start, start + HEAD_BYTES)).trimStart();
  if (/^<\?xml/i.test(head)) return 'an XML document';
  if (head.startsWith('<')) return 'an HTML page';
  return isJson(head) ? 'a JSON document' : undefined;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/** `{"a"` alone may be text 1.0.0, where a quoted metric name stands in the braces: the colon tells. */
function isJson(head: string): boolean {
  if (head.startsWith('[')) return true;
  if (/^\{\s*\}\s*$/.test(head) || /^\{\s*"(?:[^"\\]|\\.)*"\s*:/s.test(head)) return true;
  return /^(?:null|true|false|"(?:[^"\\]|\\.)*")\s*$/s.test(head);
}
