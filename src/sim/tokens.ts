import { hash32 } from '../kit/hash.ts';

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** A word with the space before it, at most eight letters a token: English comes out near a real tokeniser. */
const TOKEN = /\s*\S{1,8}|\s+$/g;

export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

/**
 * The prompt a chat template makes, as tokens. Each message is split by itself, so that a conversation whose
 * answer comes back as a message begins with the very tokens the engine has computed.
 */
export function chatTokens(messages: readonly ChatMessage[]): readonly string[] {
  const turns = messages.flatMap(({ role, content }) => [`<|${role}|>`, ...tokensOf(content), '<|end|>']);
  return [...turns, '<|assistant|>'];
}

/** One number for the content of each full block: equal text from the start gives equal numbers. */
export function blocksOf(tokens: readonly string[], blockTokens: number): readonly number[] {
  const blocks: number[] = [];
  for (let end = blockTokens; end <= tokens.length; end += blockTokens) {
    const text = tokens.slice(end - blockTokens, end).join('\u0000');
    // Two hashes in one number of 53 bits: one of 32 would find a false prefix now and then.
    blocks.push(hash32(text) * 2 ** 21 + (hash32(`${text}\u0001`) >>> 11));
  }
  return blocks;
}
