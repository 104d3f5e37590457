import { type HttpClient, HttpFailure } from '../../src/kit/http.ts';

export interface FakeReply {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface FakeRequest {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type FakeHandler = (
  request: FakeRequest,
) => FakeReply | HttpFailure | Promise<FakeReply | HttpFailure>;

export interface FakeHttp extends HttpClient {
  /** What is answered from here on. */
  answer: FakeHandler;
  readonly asked: FakeRequest[];
}

/** HTTP without sockets, for tests in virtual time; it obeys the caller's signal and size limit, and nothing else. */
export function fakeHttp(answer: FakeHandler): FakeHttp {
  const http: FakeHttp = {
    answer,
    asked: [],
    async get(url, { headers = {}, maxBytes, signal }) {
      signal?.throwIfAborted();
      const { pathname, search } = new URL(url);
      const request = { url, path: pathname + search, headers };
      http.asked.push(request);
      let leave = (): void => {};
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(signal?.reason);
      });
      signal?.addEventListener('abort', leave, { once: true });
      const reply = await Promise.race([http.answer(request), left]).finally(() => {
        signal?.removeEventListener('abort', leave);
      });
      if (reply instanceof HttpFailure) throw reply;
      const { status = 200, headers: answered = {}, body = '' } = reply;
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
      if (bytes.byteLength > maxBytes) throw new HttpFailure('too-large', `more than ${maxBytes} bytes`);
      return { status, headers: answered, body: bytes };
    },
  };
  return http;
}

/** Answers by path; whatever is not named is 404. */
export function byPath(replies: Readonly<Record<string, FakeReply | string>>): FakeHandler {
  return ({ path }) => {
    const reply = replies[path];
    if (reply === undefined) return { status: 404, body: '{"detail":"Not Found"}' };
    return typeof reply === 'string' ? { body: reply } : reply;
  };
}
