import type { Worker } from 'node:worker_threads';

import type { EngineProfile } from '../engines/profile.ts';
import { startWorker } from '../kit/start-worker.ts';
import type { Rendered } from './rendered-page.ts';
import type { RawPage, TranslatedEngine } from './translate.ts';
import type { WorkerAnswer, WorkerJob, WorkerReady } from './worker-job.ts';

/** Pages handed over and not answered: each is copied, so a queue of them would double the memory they take. */
const HANDED_OVER = 2;

interface Waiting {
  readonly resolve: (rendered: Rendered) => void;
  readonly reject: (error: Error) => void;
}

/** One thread that translates pages. When it dies all its pages fail, and it is of no more use. */
export class TranslateThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  readonly #profiles = new Map<EngineProfile, number>();
  #jobs = 0;
  #died: Error | undefined;
  #ready = false;

  constructor(worker: Worker = startWorker(import.meta.url, 'translate-worker')) {
    this.#worker = worker;
    worker.on('message', (answer: WorkerAnswer | WorkerReady) => {
      if (answer === 'ready') this.#ready = true;
      else this.#answered(answer);
    });
    // Before it is up this would be undone.
    worker.once('online', () => this.#rest());
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', (code) => this.#end(new Error(`the translating thread ended with code ${code}`)));
  }

  get alive(): boolean {
    return this.#died === undefined;
  }

  /** Whether it has started: that takes a while, and pages wait for it. */
  get ready(): boolean {
    return this.#ready;
  }

  /** @throws Error when the thread cannot do it; an engine's bad page is an answer. */
  async render(page: RawPage, engine: TranslatedEngine): Promise<Rendered> {
    while (this.#died === undefined && this.#waiting.size >= HANDED_OVER) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    if (this.#died !== undefined) throw this.#died;
    return new Promise((resolve, reject) => {
      this.#jobs += 1;
      this.#waiting.set(this.#jobs, { resolve, reject });
      this.#send(this.#jobs, page, engine);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(id: number, { bytes, format }: RawPage, { profile, ...engine }: TranslatedEngine): void {
    const known = this.#profiles.get(profile);
    const number = known ?? this.#profiles.size;
    this.#profiles.set(profile, number);
    const { detect, ...data } = profile;
    // The page is kept and may be asked for again: a copy goes.
    const copy = Uint8Array.from(bytes);
    const job: WorkerJob = {
      id,
      page: { bytes: copy, format },
      engine,
      profile: number,
      ...(known === undefined ? { newProfile: data } : {}),
    };
    this.#worker.ref();
    this.#worker.postMessage(job, [copy.buffer]);
  }

  #answered(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rendered' in answer) waiting?.resolve(answer.rendered);
    else waiting?.reject(new Error(answer.failed));
    this.#queue.shift()?.();
    this.#rest();
  }

  /** A thread without work is no reason for a process to stay. */
  #rest(): void {
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #end(error: Error): void {
    if (this.#died !== undefined) return;
    this.#died = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const resume of this.#queue.splice(0)) resume();
  }
}
