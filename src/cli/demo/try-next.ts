import type { Paint } from '../paint.ts';
import { BIG_MODEL } from './demo-engines.ts';

/** What to try, as lines that can be copied. `penstock` is the command as this person runs it. */
export function tryNext(url: string, engineUrl: string, penstock: string, paint: Paint): string {
  const remark = (text: string): string => paint('faint', `# ${text}`);
  return `Try, in another terminal:

  ${remark('a streamed chat; x-penstock-engine says who answered')}
  curl -iN ${url}/v1/chat/completions \\
    -H 'content-type: application/json' \\
    -d '{"model": "${BIG_MODEL}", "stream": true, "max_tokens": 60,
         "messages": [{"role": "user", "content": "Hello"}]}'

  ${remark('five kinds of engines under one set of metric names')}
  curl -s ${url}/metrics/prometheus | grep 'requests_running{'

  ${remark('why each request went where it went')}
  curl -s ${url}/api/choices

  ${remark('one engine, looked at closely')}
  ${penstock} doctor --engine ${engineUrl}

Ctrl-C ends it all.
`;
}
