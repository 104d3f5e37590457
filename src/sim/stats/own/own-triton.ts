import type { OwnMaker } from './own-maker.ts';
import { series } from './own-maker.ts';

const MICROSECONDS = 1e6;

/** Sums over all requests; what copying in and out takes is not simulated. */
export function tritonOwn(): OwnMaker {
  return ({ figures, total }) => {
    const ofVersion = (value: number) => [series(0, value, { version: '1' })];
    return {
      nv_inference_count: ofVersion(total.finished),
      nv_inference_exec_count: ofVersion(total.steps),
      nv_inference_request_duration_us: ofVersion(Math.round(total.requestSeconds * MICROSECONDS)),
      nv_inference_queue_duration_us: ofVersion(Math.round(total.queueSeconds * MICROSECONDS)),
      nv_inference_compute_infer_duration_us: ofVersion(Math.round(total.inferenceSeconds * MICROSECONDS)),
      nv_inference_pending_request_count: ofVersion(figures[0]?.waiting ?? 0),
      ...(total.failed === 0
        ? {}
        : { nv_inference_request_failure: [series(0, total.failed, { version: '1', reason: 'OTHER' })] }),
    };
  };
}
