import { type Combined, combined } from '../../engines/combine.ts';
import { type Contract, contractOf } from '../../engines/contract.ts';
import { detectKind, evidenceOfPage } from '../../engines/detect.ts';
import { genericProfile } from '../../engines/index.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import { type ProfileSet, profileIn } from '../../engines/profile-set.ts';
import { readSamples } from '../../engines/read.ts';
import type { Reading } from '../../engines/reading.ts';
import { readSignals } from '../../engines/signals.ts';
import { type Exposition, ExpositionError } from '../../exposition/exposition.ts';
import { notAPage } from '../../exposition/not-a-page.ts';
import { parseExposition } from '../../exposition/parse.ts';
import { formKind } from './form-kind.ts';
import { type GatewayEngine, gatewayEngines, gatewayProfile } from './gateway-page.ts';
import { type NearKind, nearKinds } from './near-kinds.ts';
import type { PageFormat } from './page-format.ts';

/** A page that Prometheus would refuse, whole. */
export interface RefusedPage {
  readonly verdict: 'invalid';
  readonly format: PageFormat;
  readonly bytes: Uint8Array;
  readonly error: { readonly line: number; readonly column: number; readonly message: string };
  /** What it is instead of a page, in words; absent where it might be one. */
  readonly otherwise: string | undefined;
  /** The kind whose own form, which is no text of Prometheus, it has. */
  readonly form: EngineProfile | undefined;
}

/** What Penstock reads from a page. */
export interface ReadPage {
  readonly verdict: 'valid';
  readonly format: PageFormat;
  readonly bytes: Uint8Array;
  /** `an empty body`, which is a page of no samples. */
  readonly otherwise: string | undefined;
  readonly exposition: Exposition;
  readonly profile: EngineProfile;
  /** `chosen`: by the person. `none`: nothing points at a kind, and the profile is the generic one. */
  readonly certainty: 'chosen' | 'known' | 'guess' | 'none';
  readonly reason: string;
  /** On a page of Penstock's own that tells of several, and of which nothing is read then. */
  readonly engines: readonly GatewayEngine[];
  /** Only where nothing points at a kind. */
  readonly near: readonly NearKind[];
  readonly reading: Reading;
  /** By vLLM's current names with the family's own labels behind them; ranks are combined. */
  readonly signals: Readonly<Record<string, Combined>>;
  readonly contract: Contract;
  /** Of the two signals that nobody can do without, those that the page does not give. */
  readonly missing: readonly string[];
}

export type PageReport = RefusedPage | ReadPage;

const MANDATORY = ['vllm:num_requests_running', 'vllm:num_requests_waiting'];

/** @param kind as the person chose it: one of the set or `generic`; absent: guessed from the page */
export function pageReport(
  bytes: Uint8Array,
  format: PageFormat,
  profiles: ProfileSet,
  kind: string | undefined,
): PageReport {
  const otherwise = notAPage(bytes);
  let exposition: Exposition;
  try {
    exposition = parseExposition(bytes, format.format);
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    return {
      verdict: 'invalid',
      format,
      bytes,
      error: placed(error),
      otherwise,
      form: formKind(bytes, profiles),
    };
  }
  const { profile, certainty, reason, engines } = kindOf(exposition, profiles, kind);
  const reading = readSamples(profile, exposition.samples);
  const signals = combined(profile, reading);
  return {
    verdict: 'valid',
    format,
    bytes,
    otherwise,
    exposition,
    profile,
    certainty,
    reason,
    engines,
    near: certainty === 'none' ? nearKinds(exposition.samples, profiles) : [],
    reading,
    signals,
    contract: contractOf(profile, readSignals(profile, exposition.samples)),
    missing: engines.length > 0 ? [] : MANDATORY.filter((name) => signals[name] === undefined),
  };
}

function kindOf(
  exposition: Exposition,
  profiles: ProfileSet,
  kind: string | undefined,
): Pick<ReadPage, 'profile' | 'certainty' | 'reason' | 'engines'> {
  const found = detectKind(evidenceOfPage(exposition), profiles);
  if (kind !== undefined) {
    const profile = profileIn(profiles, kind) ?? genericProfile;
    const other = found.certainty !== 'none' && found.profile.kind !== kind;
    const reason = `as --kind says${other ? `, though ${found.reason}` : ''}`;
    return { profile, certainty: 'chosen', reason, engines: [] };
  }
  const engines = gatewayEngines(exposition.samples);
  if (engines.length > 1) {
    return {
      profile: gatewayProfile,
      certainty: 'known',
      reason: 'its series name several engines',
      engines,
    };
  }
  if (found.certainty !== 'none') return { ...found, engines: [] };
  return { ...found, engines: [], reason: 'nothing on the page is the mark of a known engine' };
}

/** The place stands beside the message, so the message need not begin with it. */
function placed({ line, column, message }: ExpositionError): RefusedPage['error'] {
  return { line, column, message: message.replace(/^line \d+, column \d+: /, '') };
}
