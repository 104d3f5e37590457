import type { LaunchFlag } from './profile.ts';

/** What to do at the next start, as an imperative: profiles write what must not be given as `(no --flag)`. */
export function launchText(flags: readonly LaunchFlag[]): string {
  const parts = flags.map(({ flag }) => /^\(no (.+)\)$/.exec(flag)?.[1] ?? flag);
  const given = parts.filter((part, at) => part === flags[at]?.flag);
  const left = parts.filter((part) => !given.includes(part));
  return [
    ...(given.length === 0 ? [] : [`start it with ${given.join(' and ')}`]),
    ...(left.length === 0 ? [] : [`leave out ${left.join(' and ')}`]),
  ].join(', and ');
}
