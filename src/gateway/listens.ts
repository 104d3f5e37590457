import { connect } from 'node:net';

import { isOwnLimit } from './own-limit.ts';

/** Whether somebody takes a connection there, or nobody can tell from here. Nothing is sent on it. */
export function listens({ hostname, port, protocol }: URL, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: timeoutMs,
    });
    const settle = (there: boolean): void => {
      socket.destroy();
      resolve(there);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', (error) => settle(isOwnLimit(error)));
    socket.once('timeout', () => settle(false));
  });
}
