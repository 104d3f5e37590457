/** Label values in both formats, and HELP in OpenMetrics: `\\`, `\"` and `\n`. Another backslash stays as it is. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\\"n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

/** HELP in the text format knows no escaped quote. */
export function unescapeTextHelp(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\\n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}
