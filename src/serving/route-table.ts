import type { Guard } from './keys.ts';
import type { Route } from './routes.ts';

export type Found =
  | {
      readonly kind: 'route';
      readonly guard: Guard;
      readonly route: Route;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'other-methods'; readonly guard: Guard; readonly allow: readonly string[] }
  | { readonly kind: 'none'; readonly guard: Guard };

interface Entry {
  readonly segments: readonly string[];
  readonly byMethod: ReadonlyMap<string, Route>;
}

/** @throws Error when two routes claim one path and method. */
export function compileRoutes(routes: readonly Route[]): (method: string, path: string) => Found {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>();
    for (const method of route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]) {
      if (methods.has(method)) throw new Error(`two routes for ${method} ${route.path}`);
      methods.set(method, route);
    }
    byPath.set(route.path, methods);
  }
  const entries: Entry[] = [...byPath].map(([path, byMethod]) => ({
    segments: path.split('/').slice(1),
    byMethod,
  }));
  entries.sort((a, b) => compareSpecificity(a.segments, b.segments));

  return function find(method, path) {
    const asked = path.split('/').slice(1);
    for (const { segments, byMethod } of entries) {
      const params = match(segments, asked);
      if (params === undefined) continue;
      const route = byMethod.get(method);
      if (route !== undefined) return { kind: 'route', guard: route.guard, route, params };
      // A wildcard does not know what exists below it, so it cannot say "with another method".
      if (segments.at(-1) === '*') continue;
      const guard = [...byMethod.values()][0]?.guard ?? 'client';
      return { kind: 'other-methods', guard, allow: [...byMethod.keys()] };
    }
    return { kind: 'none', guard: 'client' };
  };
}

function match(
  segments: readonly string[],
  asked: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (segment === '*') {
      params['*'] = asked.slice(at).join('/');
      return params['*'] === '' ? undefined : params;
    }
    const given = asked[at];
    if (given === undefined) return undefined;
    if (segment.startsWith(':')) {
      const value = decoded(given);
      if (value === undefined || value === '') return undefined;
      params[segment.slice(1)] = value;
    } else if (segment !== given) return undefined;
  }
  return asked.length === segments.length ? params : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  const rank = (segment: string | undefined): number =>
    segment === undefined ? 3 : segment === '*' ? 2 : segment.startsWith(':') ? 1 : 0;
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = rank(a[at]) - rank(b[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}
