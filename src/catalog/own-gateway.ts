import { firstTokenBounds, gatewayInterEventBounds, gatewayRequestBounds } from './bounds.ts';
import type { CatalogFamily } from './family.ts';

/** Labels of what the gateway measured at an engine. */
const ENGINE_LABELS = ['model_name', 'engine_name', 'kind', 'runtime_name'] as const;

/** What the gateway itself counts and measures. */
export const ownGatewayFamilies: readonly CatalogFamily[] = [
  {
    name: 'penstock:gateway_requests_total',
    type: 'counter',
    unit: 'requests',
    labels: ['model_name', 'endpoint', 'status_class'],
    help: "Requests answered, by class of status; the rate of 5xx is what clients see of trouble. model_name is the engine's own id, whatever alias was used; names that nobody knows are other.",
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_errors_total',
    type: 'counter',
    unit: 'events',
    labels: ['code'],
    help: 'Error answers of the gateway itself by code; each code names whose fault it was.',
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_retries_total',
    type: 'counter',
    unit: 'events',
    labels: ['cause'],
    help: 'Requests tried once more by cause; clients did not notice these, but an engine is failing.',
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_choices_total',
    type: 'counter',
    unit: 'events',
    labels: ['policy', 'reason'],
    help: 'Choices of an engine by policy and reason; it tells what routing goes by.',
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_in_flight',
    type: 'gauge',
    unit: 'requests',
    labels: [],
    help: 'Requests in the gateway now, on an engine or on the way to one.',
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_time_to_first_token_seconds',
    type: 'histogram',
    unit: 'seconds',
    labels: ENGINE_LABELS,
    help: 'Time from the arrival of a streamed request to its first content; the wait a person sees.',
    ranks: 'sum',
    bounds: firstTokenBounds,
  },
  {
    name: 'penstock:gateway_inter_event_seconds',
    type: 'histogram',
    unit: 'seconds',
    labels: ENGINE_LABELS,
    help: 'Gap between two content events of a stream; a long tail is what makes an answer stutter.',
    ranks: 'sum',
    bounds: gatewayInterEventBounds,
  },
  {
    name: 'penstock:gateway_request_seconds',
    type: 'histogram',
    unit: 'seconds',
    labels: ENGINE_LABELS,
    help: 'Time from the arrival of a request to the end of its answer, all attempts included.',
    ranks: 'sum',
    bounds: gatewayRequestBounds,
  },
  {
    name: 'penstock:gateway_client_left_total',
    type: 'counter',
    unit: 'requests',
    labels: [],
    help: 'Requests whose client left before the end; a rising rate means answers come too late.',
    ranks: 'sum',
  },
  {
    name: 'penstock:gateway_info',
    type: 'gauge',
    unit: 'none',
    labels: ['version'],
    help: 'Version of the gateway, value 1.',
    ranks: 'info',
  },
];
