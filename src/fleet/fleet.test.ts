import { expect, test } from 'vitest';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import type { EngineSettings } from './engine.ts';
import { Fleet } from './fleet.ts';

function settings(name: string): EngineSettings {
  return { name, url: 'http://a', kind: undefined, runtime: undefined, key: undefined, metrics: undefined };
}

test('engines keep the order they were added in, and names are unique', () => {
  const fleet = new Fleet({ clock: new ManualClock() });
  fleet.add(settings('b'));
  fleet.add(settings('a'));
  expect(fleet.snapshot().map(({ name }) => name)).toEqual(['b', 'a']);
  expect(() => fleet.add(settings('a'))).toThrow('two engines are named "a"');
  fleet.remove('b');
  expect(fleet.get('b')).toBeUndefined();
  expect(fleet.engines().map(({ name }) => name)).toEqual(['a']);
});

test('a snapshot does not change when the engine does', () => {
  const fleet = new Fleet({ clock: new ManualClock() });
  const engine = fleet.add(settings('a'));
  const before = fleet.snapshot();
  engine.begin();
  expect([before[0]?.inFlight, fleet.snapshot()[0]?.inFlight]).toEqual([0, 1]);
});
