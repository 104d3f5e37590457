import { expect, test } from 'vitest';
import { familyOf } from '../catalog/index.ts';
import { genericProfile, profileOf, profiles } from './index.ts';
import { sourcesOf } from './sample-names.ts';

const all = [...profiles, genericProfile];

test('kinds are told apart by their names', () => {
  const kinds = all.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(profiles.map(({ kind }) => profileOf(kind)?.kind)).toEqual(profiles.map(({ kind }) => kind));
  expect(profileOf('nothing')).toBeUndefined();
});

test.each(all)('$kind names families of the catalogue only', ({ families, own }) => {
  for (const name of [...Object.keys(families), ...own.map((family) => family.name)]) {
    expect(familyOf(name), name).toBeDefined();
  }
});

test.each(all)(
  "$kind's sources name label sets that its page has, and labels that the families have",
  (profile) => {
    for (const [name, supply] of Object.entries(profile.families)) {
      const family = familyOf(name);
      for (const { labelSet, labels = {}, without = [], constant = {} } of sourcesOf(supply)) {
        if (labelSet !== undefined && profile.page !== undefined) {
          expect(profile.page.labelSets, name).toHaveProperty(labelSet);
        }
        if (family?.ranks === 'info') continue;
        for (const label of [...Object.keys(labels), ...without, ...Object.keys(constant)]) {
          expect(family?.labels, name).toContain(label);
        }
      }
    }
  },
);

test.each(all)(
  '$kind says in a sentence what it cannot supply, and points at families it has',
  ({ families }) => {
    for (const [name, supply] of Object.entries(families)) {
      if ('missing' in supply) expect(supply.missing, name).toMatch(/^\S.+\.$/);
      if ('sameAs' in supply) expect(Object.keys(families), name).toContain(supply.sameAs);
    }
  },
);
