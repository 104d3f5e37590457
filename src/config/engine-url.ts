/**
 * What is wrong with a base URL, as the end of a sentence to a person; undefined when nothing is.
 *
 * @param example what a right one looks like there
 * @param instead where the key belongs that some write into a URL
 */
export function wrongUrl(
  text: string,
  example = 'http://127.0.0.1:8000',
  instead = ': put the key of an engine under "key" or "keyFile"',
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // "localhost:8000" parses: as a scheme named localhost.
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return `expected a URL such as ${example}`;
  }
  if (url.username !== '' || url.password !== '') {
    return `a URL must not carry a user or password${instead}`;
  }
  if (url.search !== '' || url.hash !== '') return 'a base URL has no "?" or "#" part';
  return undefined;
}

/** As `wrongUrl`, and the base must stop before /v1: Penstock adds the whole path of a request to it. */
export function wrongEngineUrl(text: string): string | undefined {
  const wrong = wrongUrl(text);
  if (wrong !== undefined) return wrong;
  return /\/v1\/?$/.test(new URL(text).pathname) ? 'leave out the /v1 at its end' : undefined;
}

/** One spelling per address: lower-case host, no default port, no trailing slash. */
export function plainUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** `host-port`, letters, digits, dots and dashes only: it stands in paths and labels. */
export function defaultName(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '');
  return `${host === '' ? 'engine' : host}-${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}

/** For messages: what a URL may carry before its host, or in its query or fragment, is never shown. */
export function withoutCredentials(text: string): string {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  const query = rest.search(/[?#]/);
  // A password with a "?" in it, or a query with an "@": which of them cannot be told.
  if (query !== -1 && query < at) return `${scheme}***`;
  const shown = at === -1 ? rest : `***${rest.slice(at)}`;
  return `${scheme}${shown.replace(/([?#])[\s\S]*$/, '$1…')}`;
}
