import { expect, test } from 'vitest';

import { answerText } from './answer-text.ts';
import { blocksOf, chatTokens, tokensOf } from './tokens.ts';

test('tokens put together are the text', () => {
  for (const text of ['', 'one', ' one  two\n', 'a considerably longer word', 'äöü 漢字かな交じり文です']) {
    expect(tokensOf(text).join('')).toBe(text);
  }
});

test('English comes to about 1.2 tokens a word', () => {
  const text = 'The quick brown fox jumps over the lazy dog and considers its international reputation';
  const words = text.split(' ').length;
  expect(tokensOf(text).length / words).toBeGreaterThan(1);
  expect(tokensOf(text).length / words).toBeLessThan(1.5);
});

test('an answer that comes back as a message has the tokens it was made of', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const { tokens } = answerText({ seed, maxTokens: undefined, minTokens: 0, ignoreEnd: false });
    const said = tokens.filter((token) => token !== '');
    expect(tokensOf(said.join(''))).toEqual(said);
  }
});

test('a second turn begins with the blocks of the first', () => {
  const asked = { role: 'user', content: 'Tell me of rivers, dams and turbines in the hills of the north' };
  const { tokens } = answerText({ seed: 3, maxTokens: undefined, minTokens: 0, ignoreEnd: false });
  const first = blocksOf([...chatTokens([asked]), ...tokens.map((token) => token || '<|end|>')], 16);
  const answered = { role: 'assistant', content: tokens.join('') };
  const second = blocksOf(chatTokens([asked, answered, { role: 'user', content: 'Go on' }]), 16);
  expect(first.length).toBeGreaterThan(3);
  expect(second.slice(0, first.length)).toEqual(first);
});

test('blocks differ from the first that differs in text', () => {
  const common = Array.from({ length: 32 }, (_, at) => `t${at}`);
  const one = blocksOf([...common, ...Array<string>(16).fill('x')], 16);
  const other = blocksOf([...common, ...Array<string>(16).fill('y')], 16);
  expect(one.slice(0, 2)).toEqual(other.slice(0, 2));
  expect(one[2]).not.toBe(other[2]);
  expect(blocksOf(common.slice(0, 31), 16)).toHaveLength(1);
});

test.each([
  [{ maxTokens: 5 }, 5, 'length'],
  [{ maxTokens: 500, ignoreEnd: true }, 500, 'length'],
  [{ minTokens: 200 }, 200, 'stop'],
] as const)('an answer under %j has %d tokens and ends by %s', (wish, count, reason) => {
  const answer = answerText({ seed: 1, maxTokens: undefined, minTokens: 0, ignoreEnd: false, ...wish });
  expect(answer.tokens).toHaveLength(count);
  expect(answer.finishReason).toBe(reason);
});

test('one seed always says the same, and left alone ends by itself after 60 to 120 tokens', () => {
  const wish = { maxTokens: undefined, minTokens: 0, ignoreEnd: false };
  const lengths = new Set<number>();
  for (let seed = 0; seed < 40; seed += 1) {
    const answer = answerText({ seed, ...wish });
    expect(answer).toEqual(answerText({ seed, ...wish }));
    expect(answer.finishReason).toBe('stop');
    expect(answer.tokens.length).toBeGreaterThanOrEqual(60);
    expect(answer.tokens.length).toBeLessThanOrEqual(120);
    lengths.add(answer.tokens.length);
  }
  expect(lengths.size).toBeGreaterThan(10);
});
