import type { Answer } from '../engines/evidence.ts';
import type { Identity } from '../fleet/engine.ts';
import type { Ask } from './ask.ts';
import type { ModelsLook } from './look-models.ts';

/** The same, and what was answered so far. */
export function remembering(ask: Ask): { readonly ask: Ask; readonly answers: readonly Answer[] } {
  const answers: Answer[] = [];
  return {
    answers,
    async ask(path) {
      const asked = await ask(path);
      if ('answer' in asked) answers.push(asked.answer);
      return asked;
    },
  };
}

/**
 * That another Penstock answered, for a person. No engine sends such a header, and every Penstock does with what it
 * does not serve: `/version`, or everything to whoever shows no key.
 */
export function penstockReason(answers: readonly Answer[]): string | undefined {
  const header = answers.flatMap(({ headers }) => Object.keys(headers)).find(isPenstocks);
  return header && `its answers carry the header "${header}": it is a Penstock gateway`;
}

/** Neither a mark of a known kind nor a list of models; a list behind a key, or one that fails, may yet be one. */
export function isUnlikeAnEngine(
  certainty: Identity['certainty'],
  { models, status }: Pick<ModelsLook, 'models' | 'status'>,
): boolean {
  if (certainty !== 'none' || models !== undefined || status === undefined) return false;
  return status < 500 && status !== 401 && status !== 403 && status !== 429;
}

function isPenstocks(header: string): boolean {
  return header.startsWith('x-penstock-');
}
