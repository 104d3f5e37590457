import { expect, test } from 'vitest';

import { engineView, servedModel, signalsOf } from '../../test/kit/engine-view.ts';
import type { EngineView } from '../fleet/engine-view.ts';
import { filterEngines, servingEngines, type Wanted } from './filters.ts';

function filtered(
  engines: readonly EngineView[],
  tried: readonly string[] = [],
  api: Wanted['api'] = undefined,
) {
  const { candidates, excluded } = filterEngines(engines, { model: 'm', api }, new Set(tried));
  return [
    candidates.map(({ name }) => name),
    Object.fromEntries(excluded.map(({ engine, reason }) => [engine, reason])),
  ];
}

test('an engine serves a model under its id and under its aliases', () => {
  const engines = [
    engineView('a'),
    engineView('b', { models: [servedModel('other')] }),
    engineView('c', { models: [servedModel('x'), servedModel('y', { aliases: ['z', 'm'] })] }),
    engineView('d', { models: [] }),
  ];
  expect(servingEngines(engines, 'm').map(({ name }) => name)).toEqual(['a', 'c']);
  expect(servingEngines(engines, 'nope')).toEqual([]);
});

test('down and loading engines are left out even when nothing else is there', () => {
  const engines = [engineView('a', { health: 'down' }), engineView('b', { health: 'loading' })];
  expect(filtered([...engines, engineView('c'), engineView('d', { health: 'unknown' })])).toEqual([
    ['c', 'd'],
    { a: 'down', b: 'loading' },
  ]);
  expect(filtered(engines)).toEqual([[], { a: 'down', b: 'loading' }]);
});

test('an engine this request failed on is not asked again', () => {
  expect(filtered([engineView('a'), engineView('b')], ['a'])).toEqual([['b'], { a: 'tried' }]);
});

test('no contract state keeps an engine from serving', () => {
  const engines = (['blind', 'partial', 'stuck', 'malformed', 'none', 'unseen'] as const).map((contract) =>
    engineView(contract, { contract, signals: undefined }),
  );
  expect(filtered(engines)[0]).toEqual(engines.map(({ name }) => name));
});

const swapping = (name: string, loaded: boolean) =>
  engineView(name, { models: [servedModel('m', { loaded }), servedModel('n', { loaded: !loaded })] });

test('where engines swap models one that has it in memory is preferred', () => {
  expect(filtered([swapping('a', false), swapping('b', true)])).toEqual([['b'], { a: 'model-not-loaded' }]);
  expect(filtered([swapping('a', false), engineView('b')])).toEqual([['b'], { a: 'model-not-loaded' }]);
  expect(filtered([swapping('a', false), swapping('b', false)])).toEqual([['a', 'b'], {}]);
});

test('a sleeping engine is woken only when all sleep', () => {
  const asleep = (name: string) => engineView(name, { signals: signalsOf({ sleeping: true }) });
  expect(filtered([asleep('a'), engineView('b')])).toEqual([['b'], { a: 'asleep' }]);
  expect(filtered([asleep('a'), asleep('b')])).toEqual([['a', 'b'], {}]);
});

const open = (name: string) => engineView(name, { breaker: 'open', breakerAdmits: false });

test('an engine whose breaker is open is passed over while another is there', () => {
  expect(filtered([open('a'), engineView('b')])).toEqual([['b'], { a: 'breaker-open' }]);
  const half = engineView('c', { breaker: 'half-open' });
  expect(filtered([open('a'), half])).toEqual([['c'], { a: 'breaker-open' }]);
});

test('when the breakers of all are open they count for nothing: no fleet is made unroutable', () => {
  expect(filtered([open('a'), open('b')])).toEqual([['a', 'b'], {}]);
  expect(filtered([open('a'), open('b')], ['a'])).toEqual([['b'], { a: 'tried' }]);
  expect(filtered([open('a'), engineView('b', { health: 'down' })])).toEqual([['a'], { b: 'down' }]);
});

test('a good engine that was tried sends nobody to one whose breaker is open', () => {
  expect(filtered([engineView('a'), open('b')], ['a'])).toEqual([[], { a: 'tried', b: 'breaker-open' }]);
});

test('an engine whose kind has the endpoint, or is not known, is preferred', () => {
  const chats = engineView('a', { apis: ['chat'] });
  const embeds = engineView('b', { apis: ['chat', 'embeddings'] });
  const unknown = engineView('c', { apis: undefined });
  expect(filtered([chats, embeds, unknown], [], 'embeddings')).toEqual([
    ['b', 'c'],
    { a: 'no-such-endpoint' },
  ]);
  expect(filtered([chats, embeds], [], 'chat')).toEqual([['a', 'b'], {}]);
  expect(filtered([chats, embeds], [], undefined)).toEqual([['a', 'b'], {}]);
  // One that is down or was tried makes no other able.
  expect(filtered([chats, { ...embeds, health: 'down' }], [], 'embeddings')).toEqual([
    [],
    { a: 'no-such-endpoint', b: 'down' },
  ]);
  expect(filtered([chats, embeds], ['b'], 'embeddings')).toEqual([[], { a: 'no-such-endpoint', b: 'tried' }]);
});

test('when the kinds of all are not known to have it they are asked: an engine may be newer than what is known', () => {
  const chats = engineView('a', { apis: ['chat'] });
  expect(filtered([chats], [], 'messages')).toEqual([['a'], {}]);
});

test('where another engine can take it at once, one that is asleep or without the model is no candidate', () => {
  const asleep = engineView('a', { signals: signalsOf({ sleeping: true }) });
  const unloaded = engineView('b', { models: [servedModel('m', { loaded: false })] });
  for (const engine of [asleep, unloaded]) {
    const names = (atOnce: boolean) =>
      filterEngines([engine], { model: 'm', api: undefined, atOnce }, new Set()).candidates.length;
    expect([names(false), names(true)]).toEqual([1, 0]);
  }
});
