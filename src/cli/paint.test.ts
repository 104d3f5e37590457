import { expect, test } from 'vitest';
import { colours, harmless, noPaint, paintFor } from './paint.ts';

test('a terminal gets colours', () => {
  const paint = paintFor(true, { TERM: 'xterm-256color' });
  expect(paint('bad', 'FAIL')).toBe('\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m');
  expect(paint('good', 'ok')).toBe('\u001b[32mok\u001b[39m');
});

test.each([
  ['a pipe', false, {}],
  ['NO_COLOR', true, { NO_COLOR: '1' }],
  ['a terminal that knows none', true, { TERM: 'dumb' }],
])('%s gets none', (_, isTerminal, env) => {
  expect(paintFor(isTerminal, env)('bad', 'FAIL')).toBe('FAIL');
  expect(noPaint('head', 'x')).toBe('x');
});

test('an empty NO_COLOR asks for nothing', () => {
  expect(paintFor(true, { NO_COLOR: '' })('faint', 'x')).not.toBe('x');
});

test.each([
  ['a pipe', noPaint],
  ['a terminal', colours],
])('on %s a text from outside is shown and does nothing', (_, paint) => {
  const evil = '\u001b[2Jgone\u001b[8m\u009b31m\u001b]0;title\u0007\r\u202eback\u2028\u200b\ud800';
  const shown = harmless(`${paint('bad', 'FAIL')}\t${evil}\n`, paint);
  expect(shown).toBe(
    `${paint('bad', 'FAIL')}\t\\u001b[2Jgone\\u001b[8m\\u009b31m\\u001b]0;title\\u0007\\u000d\\u202eback\\u2028\\u200b\\ud800\n`,
  );
});
