import { llamaCpp } from './llama-cpp.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { mapSources } from './rename.ts';

/** What the public page of it shows, and what it must have to be of use. */
const SHOWN: ReadonlySet<string> = new Set([
  'llamacpp:requests_processing',
  'llamacpp:requests_deferred',
  'llamacpp:prompt_tokens_total',
  'llamacpp:tokens_predicted_total',
]);

const asShown = (source: Source): Source =>
  source.names.some((name) => SHOWN.has(name)) ? source : { ...source, optional: true };

const families: Readonly<Record<string, Supply>> = Object.fromEntries(
  Object.entries(llamaCpp.families).map(([name, supply]) => [name, mapSources(supply, asShown)]),
);

/** ik_llama.cpp, a fork of llama.cpp: the same names and answers, and nothing that tells it from its parent. */
export const ikLlamaCpp: EngineProfile = {
  ...llamaCpp,
  kind: 'ik-llama-cpp',
  title: 'ik_llama.cpp',
  verifiedAgainst: [{ version: 'August 2025, a part of its page', how: 'capture' }],
  families,
  page: { version: 'August 2025', labelSets: { default: {} } },
  doubts: [
    'Nothing in its answers tells it from llama.cpp: left to itself it is taken for that, which reads it as well.',
    'Only four families of its page are public; the others are expected as in llama.cpp of that time.',
  ],
  onlyByConfig: true,
  detect: () => undefined,
};
