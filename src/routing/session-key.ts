import { hash32 } from '../kit/hash.ts';
import type { RequestFields } from '../openai/request.ts';

/** What keeps the turns of a conversation together: the client's own word for it, else how the conversation begins. */
export function sessionKeyOf(
  sessionHeader: string | undefined,
  { promptCacheKey, user, opening }: RequestFields,
): string | undefined {
  if (sessionHeader !== undefined && sessionHeader !== '') return `session:${bounded(sessionHeader)}`;
  if (promptCacheKey !== undefined) return `cache:${bounded(promptCacheKey)}`;
  if (user !== undefined) return `user:${bounded(user)}`;
  return opening === undefined ? undefined : `opening:${hash32(opening)}`;
}

/** The key is hashed once for each engine there is: a long one is read here and not again. */
function bounded(text: string): string {
  return text.length <= 64 ? text : `${text.length}:${hash32(text)}`;
}
