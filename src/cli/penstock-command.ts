import type { Env } from '../config/expand-env.ts';

/** The command as this person runs it: in a clone `penstock` is on no path, only in its package's scripts. */
export function penstockCommand(env: Env): string {
  const isClone = env['npm_package_name'] === 'penstock' && env['npm_lifecycle_event'] !== undefined;
  return isClone ? 'npm run -s penstock --' : 'penstock';
}
