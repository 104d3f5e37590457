import { expect, test } from 'vitest';

import { engineView, servedModel } from '../../test/kit/engine-view.ts';
import { knownModels, servedName } from './known-models.ts';

const engines = [
  engineView('a', { models: [servedModel('m', { aliases: ['m-latest', 'n'] }), servedModel('o')] }),
  engineView('b', { kind: 'sglang', models: [servedModel('m'), servedModel('n')] }),
];
const ids = (aliases: Record<string, string>): string[] => knownModels(engines, aliases).map(({ id }) => id);

test('each name is known once: ids, engines’ aliases, aliases of the operator', () => {
  expect(ids({})).toEqual(['m', 'o', 'n', 'm-latest']);
  expect(ids({ small: 'o', latest: 'm-latest' })).toEqual(['m', 'o', 'n', 'm-latest', 'small', 'latest']);
});

test('an alias of nothing is not known', () => {
  expect(ids({ ghost: 'gone' })).not.toContain('ghost');
});

test('an alias that has a model’s name stands for what the operator says', () => {
  expect(knownModels(engines, { n: 'o' }).find(({ id }) => id === 'n')?.served.id).toBe('o');
  expect(servedName({ n: 'o' }, 'n')).toBe('o');
});

test('a name that is no alias is itself, whatever objects are made of', () => {
  expect(servedName({ a: 'b' }, 'm')).toBe('m');
  expect(servedName({}, 'constructor')).toBe('constructor');
});
