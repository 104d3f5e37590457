import { textOf } from '../../engines/other-form.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import type { ProfileSet } from '../../engines/profile-set.ts';
import { readSamples } from '../../engines/read.ts';
import { parseExposition } from '../../exposition/parse.ts';

/** One figure may stand at the same place in anybody's JSON. */
const TELLING = 2;

/** The kind of whose own form, which is no exposition text, a body looks; undefined when it is of none. */
export function formKind(bytes: Uint8Array, profiles: ProfileSet): EngineProfile | undefined {
  const body = new TextDecoder().decode(bytes);
  let best: EngineProfile | undefined;
  let most = TELLING - 1;
  for (const profile of profiles) {
    const read = familiesRead(profile, body);
    if (read > most) [best, most] = [profile, read];
  }
  return best;
}

function familiesRead(profile: EngineProfile, body: string): number {
  const form = profile.metrics?.otherForm;
  const text = form === undefined ? undefined : textOf(form, body);
  if (text === undefined) return 0;
  try {
    const { samples } = parseExposition(new TextEncoder().encode(text), 'text-0.0.4');
    return readSamples(profile, samples).series.size;
  } catch {
    // Lines that happen to look like the form, among others.
    return 0;
  }
}
