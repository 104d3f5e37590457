import { hash32 } from '../kit/hash.ts';
import type { RequestFields } from '../openai/request.ts';

/** What keeps the turns of a conversation together: the client's own word for it, else how the conversation begins. */
export function sessionKeyOf(
  sessionHeader: string | undefined,
  { promptCacheKey, user, opening }: RequestFields,
): string | undefined {
  if (sessionHeader !== undefined && sessionHeader !== '') return `session:${sessionHeader}`;
  if (promptCacheKey !== undefined) return `cache:${promptCacheKey}`;
  if (user !== undefined) return `user:${user}`;
  return opening === undefined ? undefined : `opening:${hash32(opening)}`;
}
