/** The text, cut to `maxLength` UTF-16 units with an ellipsis at its end: what others wrote can be of any length. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half a character would be none.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
