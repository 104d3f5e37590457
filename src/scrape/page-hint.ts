import { launchText } from '../engines/launch-text.ts';
import type { EngineProfile } from '../engines/profile.ts';

/** What to do about a page that answers with this status, as the tail of a sentence; '' when nothing is known. */
export function pageHint(profile: EngineProfile | undefined, status: number | undefined): string {
  if (profile === undefined) return '';
  if (status === 401 || status === 403) return '; its page wants a key: set "key" for this engine';
  if (status !== 404 && status !== 501) return '';
  const needed = profile.launch.filter((launch) => launch.needed);
  return needed.length === 0 ? '' : `; for metrics of ${profile.title}, ${launchText(needed)}`;
}
