import { expect, test } from 'vitest';

import { launchText } from './launch-text.ts';

const flag = (text: string) => ({ flag: text, brings: 'it', needed: true });

test.each([
  [[], ''],
  [['--metrics'], 'start it with --metrics'],
  [['(no --disable-log-stats)'], 'leave out --disable-log-stats'],
  [['--a', '(no --b)', 'c: 1', '(no --d=e)'], 'start it with --a and c: 1, and leave out --b and --d=e'],
])('%j is said as what to do', (flags, text) => {
  expect(launchText(flags.map(flag))).toBe(text);
});
