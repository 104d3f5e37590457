import type { ConfigPath, Problem } from './problem.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Every `${NAME}` in every text becomes that environment variable; `$${` stays as `${`.
 * Done on parsed values, so that a variable's content can never become YAML.
 */
export function expandEnv(value: unknown, env: Env): { value: unknown; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const walk = (part: unknown, path: ConfigPath): unknown => {
    if (typeof part === 'string') return expandText(part, env, (message) => problems.push({ path, message }));
    if (Array.isArray(part)) return part.map((item, at) => walk(item, [...path, at]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]));
  };
  return { value: walk(value, []), problems };
}

function expandText(text: string, env: Env, complain: (message: string) => void): string {
  return text.replace(/\$?\$\{([^}]*)\}/g, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      complain(`${whole} names no environment variable; write \${NAME}, or $\${ for a plain \${`);
      return whole;
    }
    const value = env[name];
    if (value === undefined) complain(`the environment variable ${name} is not set`);
    return value ?? whole;
  });
}
