import { expect, test } from 'vitest';

import { genericProfile } from '../engines/generic.ts';
import { strata } from '../engines/strata.ts';
import { apisOf, type Identity } from './identity.ts';

const identity = (over: Partial<Identity>): Identity => ({
  profile: strata,
  certainty: 'known',
  reason: 'the test says so',
  version: undefined,
  models: [],
  ...over,
});

test('which endpoints an engine has is known where its kind is, and else it may have any', () => {
  expect(apisOf(identity({}))).toEqual(strata.apis);
  expect(apisOf(identity({ certainty: 'configured' }))).toEqual(strata.apis);
  expect(apisOf(identity({ certainty: 'guess' }))).toBeUndefined();
  expect(apisOf(identity({ certainty: 'none' }))).toBeUndefined();
  expect(apisOf(identity({ profile: genericProfile }))).toBeUndefined();
  expect(apisOf(undefined)).toBeUndefined();
});
