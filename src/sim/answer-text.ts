import { type Random, seededRandom } from '../kit/random.ts';

/** Each is one token of `tokensOf`, also with a comma or full stop after it. */
const WORDS =
  'water flows through the gate when load rises and falls again so each turbine keeps its pace while the river stays calm below the old dam where stones rest in clear light few people watch how power is made from height or why a small change of level matters to all who live near by every hour brings new work for those that wait until night gives them time to cool down'
    .split(' ')
    .filter((word) => word.length <= 7);

const NATURAL_TOKENS = { from: 60, to: 120 };

export interface AnswerWish {
  readonly seed: number;
  /** Absent: as long as it likes. */
  readonly maxTokens: number | undefined;
  readonly minTokens: number;
  /** Goes on to the limit instead of ending. */
  readonly ignoreEnd: boolean;
}

export interface AnswerText {
  /** One text a token; that of an end token is empty. */
  readonly tokens: readonly string[];
  readonly finishReason: 'stop' | 'length';
}

/** What the model says: always the same for one seed, cut off where the limit is. */
export function answerText({ seed, maxTokens, minTokens, ignoreEnd }: AnswerWish): AnswerText {
  const random = seededRandom(seed);
  const span = NATURAL_TOKENS.to - NATURAL_TOKENS.from + 1;
  const drawn = Math.max(minTokens, NATURAL_TOKENS.from + Math.floor(random() * span));
  const natural = ignoreEnd ? Number.POSITIVE_INFINITY : drawn;
  const limit = maxTokens ?? (ignoreEnd ? drawn : Number.POSITIVE_INFINITY);
  if (natural > limit) return { tokens: sentences(random, limit), finishReason: 'length' };
  return { tokens: [...sentences(random, natural - 1), ''], finishReason: 'stop' };
}

function sentences(random: Random, count: number): readonly string[] {
  const tokens: string[] = [];
  let left = 0;
  for (let at = 0; at < count; at += 1) {
    const starts = left === 0;
    if (starts) left = 6 + Math.floor(random() * 9);
    left -= 1;
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? 'water';
    const cased = starts ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word;
    tokens.push(`${at === 0 ? '' : ' '}${cased}${left === 0 || at === count - 1 ? '.' : ''}`);
  }
  return tokens;
}
