/** What of the library's errors and warnings is read: its texts are for who writes parsers. */
interface YamlFault {
  readonly code: string;
  readonly message: string;
}

/** What is wrong with a YAML text at this offset, in a person's words. */
export function yamlProblem({ code, message }: YamlFault, text: string, offset: number): string {
  const at = text.slice(offset);
  if (code === 'DUPLICATE_KEY') return `the key ${JSON.stringify(keyAt(at))} is there twice; keep one`;
  if (code === 'TAG_RESOLVE_FAILED') {
    const tag = /^\S+/.exec(at)?.[0] ?? '';
    return `the tag ${tag} means nothing here; \${NAME} in a text takes an environment variable`;
  }
  if (code === 'UNEXPECTED_TOKEN' && lineAt(text, offset).includes('${')) {
    return `not YAML: inside { } and [ ] a text with \${NAME} in it needs quotes around it`;
  }
  const words = WORDS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return `not YAML: ${words ?? message}`;
}

const INDENT = 'this line is not as far to the right as those it belongs to';

/** The first that fits counts. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Missing closing .?quote/, 'a quote is not closed'],
  [/and end with a|must end with a/, 'a bracket is not closed'],
  [/^TAB_AS_INDENT/, 'a tab stands before this line; YAML takes blanks only'],
  [/^BAD_SCALAR_START/, 'a text that starts with @, ` or % needs quotes'],
  [/^BAD_ALIAS|Unresolved alias/, 'a text that starts with * needs quotes'],
  [/^BAD_DQ_ESCAPE/, 'a backslash in double quotes needs another one; single quotes take it as it is'],
  [/^MULTIPLE_DOCS/, 'a second document begins with ---; a config is one'],
  [/without - indicator|^BAD_INDENT/, INDENT],
  [/same line with key/, 'a list begins on the line below its key'],
  [/sequence may not be used as an implicit map key/, INDENT],
  [/^BLOCK_AS_IMPLICIT_KEY/, 'a second colon; a text with ": " in it needs quotes'],
  [/^MULTILINE_IMPLICIT_KEY|followed by map values/, 'a key needs a colon and a blank behind it'],
  [/^MISSING_CHAR|^BLOCK_IN_FLOW/, 'inside [ ] and { } a comma stands between entries'],
  [
    /^UNEXPECTED_TOKEN/,
    'this fits nothing before it; a text with quotes or brackets in it needs quotes around it',
  ],
  [/^KEY_OVER/, 'a key is longer than 1,024 characters'],
];

function lineAt(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
}

function keyAt(text: string): string {
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^\s:]+))/.exec(text) ?? [];
  return double ?? single ?? plain ?? '';
}
