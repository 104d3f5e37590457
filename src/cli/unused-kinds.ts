import type { Config } from '../config/config.ts';
import { kindNames } from '../config/names.ts';
import { nearest } from '../kit/nearest.ts';

/** A line for each kind of the file's own that no engine is of: nothing else leads to it. */
export function unusedKinds({ kinds, engines }: Pick<Config, 'kinds' | 'engines'>): readonly string[] {
  const used = new Set(engines.map(({ kind }) => kind));
  return kinds
    .filter(({ kind }) => !(used.has(kind) || kindNames.includes(kind)))
    .map(({ kind }) => {
      const meant = nearest(kind, kindNames);
      return `no engine uses kind ${kind}; ${meant === undefined ? `an engine does with \`kind: ${kind}\`` : `did you mean ${meant}?`}`;
    });
}
