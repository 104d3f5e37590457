import { type RequestFields, readRequestInParts } from '../openai/request.ts';
import { GatewayError } from '../serving/errors.ts';
import { readBody } from '../serving/read-body.ts';
import type { Exchange } from '../serving/routes.ts';
import { VIA, viaWith } from './via.ts';

/** `ready`: configured, listening, not draining. Never a matter of engines. */
export type Readiness = 'starting' | 'ready' | 'draining';

/** A request that may be routed: its bytes as they came, and what was read of them. */
export interface Admitted {
  readonly body: Uint8Array;
  readonly fields: RequestFields;
  /** The gateways that it came through, this one included. */
  readonly via: string;
}

/** @throws GatewayError `draining`, `loop_detected`, `body_too_large`, `invalid_body`, `client_left` */
export async function admit(
  { request, signal }: Exchange,
  limits: { readonly bodyBytes: number; readonly readiness: Readiness; readonly instanceId: string },
): Promise<Admitted> {
  if (limits.readiness === 'draining') {
    throw new GatewayError('draining', 'This gateway is about to stop; ask again in a moment', {
      retryAfterSeconds: 5,
    });
  }
  const via = viaWith(request.headers[VIA], limits.instanceId);
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\//i.test(type)) {
    throw new GatewayError('invalid_body', 'This endpoint takes a JSON body, not a multipart form');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new GatewayError(
      'invalid_body',
      'The request body is compressed; send it without a Content-Encoding',
    );
  }
  const body = await readBody(request, limits.bodyBytes, signal);
  const fields = await readRequestInParts(body, breathe);
  if ('problem' in fields) throw new GatewayError('invalid_body', fields.problem, { param: fields.param });
  return { body, fields, via };
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
