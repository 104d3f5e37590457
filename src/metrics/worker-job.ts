import type { EngineProfile } from '../engines/profile.ts';
import type { Rendered } from './rendered-page.ts';
import type { RawPage, TranslatedEngine } from './translate.ts';

/** A profile without what no message can carry. */
export type ProfileData = Omit<EngineProfile, 'detect'>;

/** What the translating thread is told: its memory is its own, so a profile is sent once and then named by number. */
export interface WorkerJob {
  readonly id: number;
  readonly page: RawPage;
  readonly engine: Omit<TranslatedEngine, 'profile'>;
  readonly profile: number;
  readonly newProfile?: ProfileData;
}

/** The thread has started. */
export type WorkerReady = 'ready';

export type WorkerAnswer =
  | { readonly id: number; readonly rendered: Rendered }
  /** The page made it fail, for a person; the thread goes on. */
  | { readonly id: number; readonly failed: string };
