import {
  mooncakeBounds,
  nixlBytesBounds,
  nixlDescriptorBounds,
  nixlPostBounds,
  nixlTransferBounds,
} from './bounds.ts';
import type { CatalogFamily } from './family.ts';
import { kindFamiliesOf } from './kind-families.ts';

const CONNECTOR = '--kv-transfer-config';
const NIXL = { flag: CONNECTOR, when: 'with the NIXL connector' };
const HF3FS = { flag: CONNECTOR, when: 'with the 3FS connector' };
const MOONCAKE = {
  flag: CONNECTOR,
  when: 'with the Mooncake store',
  labels: ['operation', 'status'],
};

/** What moves KV between vLLM engines and stores, by connector. */
export const vllmTransfer: readonly CatalogFamily[] = kindFamiliesOf('vllm:', [
  [
    'nixl_xfer_time_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time of a KV transfer; it is part of the wait for the first token of a request that was prefilled elsewhere.',
    { ...NIXL, bounds: nixlTransferBounds },
  ],
  [
    'nixl_post_time_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time to set a KV transfer up; long ones point at many small pieces.',
    { ...NIXL, bounds: nixlPostBounds },
  ],
  [
    'nixl_bytes_transferred',
    'histogram',
    'bytes',
    'sum',
    'Bytes of a KV transfer.',
    { ...NIXL, bounds: nixlBytesBounds },
  ],
  [
    'nixl_num_descriptors',
    'histogram',
    'items',
    'sum',
    'Pieces of a KV transfer; many of them make its set-up slow.',
    { ...NIXL, bounds: nixlDescriptorBounds },
  ],
  [
    'nixl_num_failed_transfers_total',
    'counter',
    'events',
    'sum',
    'KV transfers that failed; the request is computed again or lost.',
    NIXL,
  ],
  [
    'nixl_num_failed_notifications_total',
    'counter',
    'events',
    'sum',
    'Messages about a KV transfer that failed.',
    NIXL,
  ],
  [
    'nixl_num_kv_expired_reqs_total',
    'counter',
    'requests',
    'sum',
    'Requests whose KV was given up before anybody fetched it; the decode side is too slow or gone.',
    NIXL,
  ],
  [
    'hf3fs_save_duration_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time to save KV to 3FS.',
    { ...HF3FS, bounds: nixlPostBounds },
  ],
  [
    'hf3fs_load_duration_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time to load KV from 3FS; longer than the prefill it saves, it does not pay.',
    { ...HF3FS, bounds: nixlPostBounds },
  ],
  ['hf3fs_num_failed_save_total', 'counter', 'events', 'sum', 'Saves to 3FS that failed.', HF3FS],
  ['hf3fs_num_failed_load_total', 'counter', 'events', 'sum', 'Loads from 3FS that failed.', HF3FS],
  [
    'mooncake_store_operation_time_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time of an operation on the Mooncake store.',
    { ...MOONCAKE, bounds: mooncakeBounds },
  ],
  [
    'mooncake_store_operation_total',
    'counter',
    'events',
    'sum',
    'Operations on the Mooncake store.',
    MOONCAKE,
  ],
  [
    'mooncake_store_operation_keys_total',
    'counter',
    'items',
    'sum',
    'Keys that operations on the Mooncake store were about.',
    MOONCAKE,
  ],
  [
    'mooncake_store_operation_bytes_total',
    'counter',
    'bytes',
    'sum',
    'Bytes moved by operations on the Mooncake store.',
    MOONCAKE,
  ],
  [
    'mooncake_store_operation_failed_keys_total',
    'counter',
    'items',
    'sum',
    'Keys whose operation on the Mooncake store failed; their KV is computed again.',
    MOONCAKE,
  ],
]);
