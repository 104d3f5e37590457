import { parentPort } from 'node:worker_threads';

import type { EngineProfile } from '../engines/profile.ts';
import { renderPage } from './rendered-page.ts';
import type { WorkerAnswer, WorkerJob, WorkerReady } from './worker-job.ts';

/** A thread that translates pages one after the other. A page it cannot is answered, and the next one read. */
const profiles = new Map<number, EngineProfile>();

parentPort?.on('message', (job: WorkerJob) => {
  if (job.newProfile !== undefined) {
    profiles.set(job.profile, { ...job.newProfile, detect: () => undefined });
  }
  const { answer, transfer } = answerTo(job);
  parentPort?.postMessage(answer, transfer);
});
parentPort?.postMessage('ready' satisfies WorkerReady);

function answerTo({ id, page, engine, profile: number }: WorkerJob): {
  answer: WorkerAnswer;
  transfer: ArrayBuffer[];
} {
  const profile = profiles.get(number);
  if (profile === undefined) return { answer: { id, failed: `no profile ${number}` }, transfer: [] };
  try {
    const rendered = renderPage(page, { ...engine, profile });
    const families = 'families' in rendered ? rendered.families : [];
    return { answer: { id, rendered }, transfer: families.map(({ lines }) => lines.buffer as ArrayBuffer) };
  } catch (error) {
    return { answer: { id, failed: error instanceof Error ? error.message : String(error) }, transfer: [] };
  }
}
