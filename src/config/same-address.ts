/** Names and addresses a host may stand for, as far as that can be told without asking anybody. */
function addressesOf(host: string): readonly string[] {
  const plain = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (plain === 'localhost') return ['127.0.0.1', '::1'];
  // As an address to connect to, "any" is this machine.
  if (plain === '0.0.0.0') return ['127.0.0.1'];
  if (plain === '::') return ['::1', '127.0.0.1'];
  return [plain === '::ffff:7f00:1' ? '127.0.0.1' : plain];
}

/** Whether two base URLs lead to the same server, whatever they call this machine. */
export function isSameServer(one: string, other: string): boolean {
  const [left, right] = [new URL(one), new URL(other)];
  return (
    left.pathname === right.pathname &&
    portOf(left) === portOf(right) &&
    isSameHost(left.hostname, right.hostname)
  );
}

/** Whether a server that listens there is what a URL leads to. */
export function leadsTo(
  url: string,
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  const target = new URL(url);
  if (port === 0 || portOf(target) !== port) return false;
  const listens = host === '0.0.0.0' || host === '::' ? [host, '127.0.0.1', '::1'] : [host];
  return listens.some((one) => isSameHost(target.hostname, one));
}

function isSameHost(one: string, other: string): boolean {
  const others = addressesOf(other);
  return addressesOf(one).some((address) => others.includes(address));
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
