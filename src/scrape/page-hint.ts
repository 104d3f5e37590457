import type { EngineProfile } from '../engines/profile.ts';

/** What to do about a page that answers with this status, as the tail of a sentence; '' when nothing is known. */
export function pageHint(profile: EngineProfile | undefined, status: number | undefined): string {
  if (profile === undefined) return '';
  if (status === 401 || status === 403) return '; its page wants a key: set "key" for this engine';
  if (status !== 404 && status !== 501) return '';
  const flags = profile.launch.filter(({ needed }) => needed).map(({ flag }) => flag);
  return flags.length === 0
    ? ''
    : `; ${profile.title} has metrics only when started with ${flags.join(' and ')}`;
}
