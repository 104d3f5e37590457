import { websocketBounds } from './bounds.ts';
import type { CatalogFamily } from './family.ts';
import { kindFamiliesOf } from './kind-families.ts';

const DIFFUSION = { when: 'with a diffusion language model' };
const REALTIME = { when: 'where the realtime API is served' };

/** What vLLM serves for one API or kind of model. The API server's own families have no rank. */
export const vllmFeatures: readonly CatalogFamily[] = kindFamiliesOf('vllm:', [
  [
    'tool_call_parser_invocations_total',
    'counter',
    'events',
    'sum',
    'Answers looked through for tool calls, by outcome; many without one say that model and parser do not fit.',
    { labels: ['mode', 'outcome', 'request_type'], flag: '--tool-call-parser' },
  ],
  ['diffusion_num_denoising_steps_total', 'counter', 'events', 'sum', 'Denoising steps made.', DIFFUSION],
  [
    'diffusion_num_canvas_positions_total',
    'counter',
    'tokens',
    'sum',
    'Positions looked at by denoising steps; committed tokens over them is what a step brings.',
    DIFFUSION,
  ],
  [
    'diffusion_num_committed_tokens_total',
    'counter',
    'tokens',
    'sum',
    'Tokens that denoising steps settled.',
    DIFFUSION,
  ],
  ['websocket_connections_active', 'gauge', 'items', 'sum', 'Websockets open at the moment.', REALTIME],
  ['websocket_connections_total', 'counter', 'items', 'sum', 'Websockets opened since the start.', REALTIME],
  [
    'websocket_connection_duration_seconds',
    'histogram',
    'seconds',
    'sum',
    'How long websockets stayed open.',
    { ...REALTIME, bounds: websocketBounds },
  ],
]);
