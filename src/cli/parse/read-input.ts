import { fileProblem } from '../../config/file-problem.ts';
import { genericProfile } from '../../engines/index.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import type { Clock } from '../../kit/clock.ts';
import { http1Client } from '../../kit/http1-client.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { withoutQuery } from '../../kit/without-query.ts';
import { defaultScrapeSettings } from '../../scrape/scraper.ts';
import type { Io } from '../command.ts';

export interface Input {
  readonly bytes: Uint8Array;
  /** As the server said; absent for a file. */
  readonly contentType: string | undefined;
}

/**
 * What stands at FILE, URL or `-`, whole. A URL is asked as a scrape asks, redirects are not followed.
 *
 * @throws UsageError for a file that cannot be read, any other error for a URL that brings no page
 */
export async function readInput(
  from: string,
  profile: EngineProfile | undefined,
  { io, clock }: { readonly io: Io; readonly clock: Clock },
): Promise<Input> {
  if (from === '-') return { bytes: await io.stdin(), contentType: undefined };
  if (/^https?:\/\//i.test(from)) return fetchInput(from, profile, clock);
  try {
    return { bytes: await io.readBytes(from), contentType: undefined };
  } catch (error) {
    throw new UsageError(`cannot read ${from}: ${fileProblem(error)}`);
  }
}

async function fetchInput(from: string, profile: EngineProfile | undefined, clock: Clock): Promise<Input> {
  const url = URL.canParse(from) ? new URL(from) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new UsageError(
      'expected the URL of a page, without user and password: http://127.0.0.1:8000/metrics',
    );
  }
  const accept = (profile?.metrics ?? genericProfile.metrics)?.accept ?? 'text/plain';
  const { timeoutMs, maxPageBytes: maxBytes } = defaultScrapeSettings;
  const http = http1Client({ clock });
  try {
    const { status, headers, body } = await http.get(from, { headers: { accept }, timeoutMs, maxBytes });
    if (status !== 200)
      throw new Error(`GET ${withoutQuery(from)} answered ${status}${statusHint(status, headers)}`);
    return { bytes: body, contentType: headers['content-type'] ?? '' };
  } finally {
    await http.close();
  }
}

function statusHint(status: number, headers: Readonly<Record<string, string>>): string {
  if (status === 401 || status === 403) return ': the page wants a key; save it to a file and name that';
  const { location } = headers;
  return status >= 300 && status < 400 && location !== undefined
    ? `: it points to ${withoutQuery(location)}, which is not followed, as in a scrape`
    : '';
}
