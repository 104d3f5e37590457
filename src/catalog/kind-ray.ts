import { kindFamiliesOf } from './kind-families.ts';

const ROUTE = ['route', 'method', 'application', 'status_code'];
const DEPLOYMENT = ['application', 'deployment', 'replica', 'route'];
const SERVE = { when: 'with Ray Serve' };

/** What Ray Serve says beside vLLM. Each counter may stand there twice, with `_total` and as a gauge without. */
export const rayFamilies = kindFamiliesOf('ray_serve_', [
  [
    'num_http_requests_total',
    'counter',
    'requests',
    'sum',
    'Requests of the Serve proxy, by route and status; routes below /-/ are health checks.',
    { ...SERVE, labels: ROUTE },
  ],
  [
    'num_http_error_requests_total',
    'counter',
    'requests',
    'sum',
    'Requests of the Serve proxy that failed.',
    { ...SERVE, labels: ['route', 'method', 'error_code'] },
  ],
  [
    'http_request_latency_ms',
    'histogram',
    'milliseconds',
    'sum',
    'Time of a request as the Serve proxy saw it.',
    { ...SERVE, labels: ROUTE },
  ],
  ['num_ongoing_http_requests', 'gauge', 'requests', 'sum', 'Requests in the Serve proxy.', SERVE],
  [
    'deployment_request_counter_total',
    'counter',
    'requests',
    'sum',
    'Requests of a deployment; the ingress and the model both count the same call.',
    { ...SERVE, labels: DEPLOYMENT },
  ],
  [
    'deployment_error_counter_total',
    'counter',
    'requests',
    'sum',
    'Requests of a deployment that failed.',
    { ...SERVE, labels: DEPLOYMENT },
  ],
  [
    'deployment_processing_latency_ms',
    'histogram',
    'milliseconds',
    'sum',
    'Time of a request in a deployment.',
    { ...SERVE, labels: DEPLOYMENT },
  ],
  [
    'replica_processing_queries',
    'gauge',
    'requests',
    'sum',
    'Requests in a replica.',
    { ...SERVE, labels: ['deployment', 'replica'] },
  ],
  [
    'deployment_queued_queries',
    'gauge',
    'requests',
    'sum',
    'Requests that wait for a replica; above 0 for long there are too few of them.',
    { ...SERVE, labels: ['deployment', 'replica'] },
  ],
  [
    'num_grpc_requests_total',
    'counter',
    'requests',
    'sum',
    'Requests of the Serve proxy that came over gRPC.',
    { ...SERVE, labels: ROUTE },
  ],
]);
