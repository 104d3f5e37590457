import type { Answer, Evidence, Mark } from './evidence.ts';

/** `owned_by` of the first model in `/v1/models`; absent also for a body that is no such list. */
export function ownedBy({ models }: Evidence): string | undefined {
  const body = jsonOf(models);
  if (!isRecord(body) || !Array.isArray(body['data'])) return undefined;
  const first: unknown = body['data'][0];
  const owner = isRecord(first) ? first['owned_by'] : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

/** Known by the owner its models name. */
export function ownerMark(evidence: Evidence, owner: string): Mark | undefined {
  if (ownedBy(evidence) !== owner) return undefined;
  return { certainty: 'known', reason: `/v1/models says owned_by "${owner}"` };
}

/** Pages with these names have those of other engines beside them: passed on, or borrowed. */
const SHARED_PAGES = ['strata:', 'dynamo_component_', 'nv_inference_'];

/** Guessed by the names on the page: they prove the naming, not the engine. */
export function pageMark(evidence: Evidence, prefix: string, whose: string): Mark | undefined {
  const name = familyNamed(evidence, prefix);
  if (name === undefined) return undefined;
  const owner = SHARED_PAGES.find((shared) => familyNamed(evidence, shared) !== undefined);
  if (owner !== undefined && owner !== prefix) return undefined;
  return {
    certainty: 'guess',
    reason: `its metrics page uses ${whose} names (${name}), which other engines may serve too`,
  };
}

export function familyNamed({ families }: Evidence, prefix: string): string | undefined {
  for (const name of families ?? []) if (name.startsWith(prefix)) return name;
  return undefined;
}

/** llm-d-inference-sim says it is vLLM in every answer; only its page gives it away. */
export function isSimulatorPage(evidence: Evidence): boolean {
  const { labels } = evidence;
  if (labels?.has('finish_reason') !== true || labels.has('engine')) return false;
  return familyNamed(evidence, 'vllm:') !== undefined;
}

/** The body as JSON; undefined when there is none or it is something else. */
export function jsonOf(answer: Answer | undefined): unknown {
  if (answer === undefined) return undefined;
  try {
    return JSON.parse(answer.body);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
