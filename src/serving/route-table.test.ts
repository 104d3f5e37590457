import { expect, test } from 'vitest';

import { compileRoutes } from './route-table.ts';
import type { Route } from './routes.ts';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  guard: 'client',
  handle() {},
});

const find = compileRoutes([
  route('POST', '/v1/*'),
  route('POST', '/v1/chat/completions'),
  route('GET', '/v1/models'),
  route('GET', '/engines/:name/metrics'),
  route('GET', '/engines/all/metrics'),
  route('GET', '/'),
]);

function told(method: string, path: string): string {
  const found = find(method, path);
  if (found.kind === 'route') return `${found.route.path} ${JSON.stringify(found.params)}`;
  return found.kind === 'none' ? 'none' : `only ${found.allow.join(' ')}`;
}

test.each([
  ['POST', '/v1/chat/completions', '/v1/chat/completions {}'],
  ['GET', '/v1/chat/completions', 'only POST'],
  ['POST', '/v1/models', 'only GET HEAD'],
  ['HEAD', '/v1/models', '/v1/models {}'],
  ['POST', '/v1/rerank', '/v1/* {"*":"rerank"}'],
  ['POST', '/v1/a/b', '/v1/* {"*":"a/b"}'],
  ['GET', '/v1/rerank', 'none'],
  ['POST', '/v1/', 'none'],
  ['GET', '/engines/gpu-1/metrics', '/engines/:name/metrics {"name":"gpu-1"}'],
  ['GET', '/engines/all/metrics', '/engines/all/metrics {}'],
  ['GET', '/engines/a%2Fb/metrics', '/engines/:name/metrics {"name":"a/b"}'],
  ['GET', '/engines/%zz/metrics', 'none'],
  ['GET', '/engines//metrics', 'none'],
  ['GET', '/', '/ {}'],
  ['GET', '/nothing', 'none'],
])('%s %s finds %s', (method, path, expected) => {
  expect(told(method, path)).toBe(expected);
});

test('two routes for one path and method are refused', () => {
  expect(() => compileRoutes([route('GET', '/a'), route('GET', '/a')])).toThrow('two routes for GET /a');
});
