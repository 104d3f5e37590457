import type { ConfigPath, Problem } from './problem.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** A text of the file that holds variables. */
export interface EnvText {
  readonly path: ConfigPath;
  /** With the variables' values; never shown. */
  readonly value: string;
  /** Nothing but one variable: what it holds may be meant as a number. */
  readonly isWhole: boolean;
  /** What looks wrong with a variable's value, for a person: `LAB_KEY ends in a line break`. */
  readonly oddities: readonly string[];
}

interface Expanded {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly texts: readonly EnvText[];
}

/**
 * Every `${NAME}` in every text becomes that environment variable; `$${` stays as `${`.
 * Done on parsed values, so that a variable's content can never become YAML.
 */
export function expandEnv(value: unknown, env: Env): Expanded {
  const problems: Problem[] = [];
  const texts: EnvText[] = [];
  const walk = (part: unknown, path: ConfigPath): unknown => {
    if (typeof part === 'string') {
      const expanded = expandText(part, path, env);
      problems.push(...expanded.wrong.map((message) => ({ path, message })));
      if (expanded.text !== undefined) texts.push(expanded.text);
      return expanded.text?.value ?? expanded.plain;
    }
    if (Array.isArray(part)) return part.map((item, at) => walk(item, [...path, at]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]));
  };
  return { value: walk(value, []), problems, texts };
}

interface ExpandedText {
  readonly plain: string;
  /** Absent when there was no variable in it. */
  readonly text: EnvText | undefined;
  readonly wrong: readonly string[];
}

function expandText(text: string, path: ConfigPath, env: Env): ExpandedText {
  const wrong: string[] = [];
  const names: string[] = [];
  const value = text.replace(/\$?\$\{([^}]*)\}/g, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      // Not what stands in it: that may be the key itself.
      wrong.push(
        `what stands in \${ } here is no name of an environment variable (letters, digits and underscores); write \${NAME}, or $\${ for a plain \${`,
      );
      return whole;
    }
    const found = env[name];
    if (found === undefined) wrong.push(`the environment variable ${name} is not set`);
    else names.push(name);
    return found ?? whole;
  });
  if (names.length === 0) return { plain: value, text: undefined, wrong };
  if (value === '' && wrong.length === 0) wrong.push(`the environment variable ${names.join(', ')} is empty`);
  const oddities = names.flatMap((name) => oddityOf(name, env[name] ?? ''));
  const isWhole = /^\$\{\w+\}$/.test(text);
  return { plain: value, text: { path, value, isWhole, oddities }, wrong };
}

function oddityOf(name: string, value: string): readonly string[] {
  if (value === '') return [`${name} is empty`];
  if (/[\r\n]\s*$/.test(value)) return [`${name} ends in a line break`];
  if (/\s$/.test(value)) return [`${name} ends in a blank`];
  if (/^\s/.test(value)) return [`${name} starts with a blank`];
  return /\s/.test(value) ? [`${name} has a blank in it`] : [];
}
