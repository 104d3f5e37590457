import type { ExpositionFormat } from '../../exposition/exposition.ts';
import { formatOf } from '../../exposition/parse.ts';

export interface PageFormat {
  readonly format: ExpositionFormat;
  /** How that is known, for a person. */
  readonly reason: string;
}

/** What is known of a page beside its bytes. */
export interface PageOrigin {
  /** A file's name, a URL, or `-`. */
  readonly name: string;
  /** As the person said. */
  readonly typed: string | undefined;
  /** As the server said. */
  readonly sent: string | undefined;
}

/**
 * The format a page is to be read in: what the person says, what its server says, what its name says, and else what
 * it looks like. Text without a version is read as 1.0.0, which has all that 0.0.4 has.
 */
export function pageFormat(bytes: Uint8Array, { name, typed, sent }: PageOrigin): PageFormat {
  if (typed !== undefined) return { format: formatOf(typed), reason: 'as --content-type says' };
  if (sent !== undefined && sent !== '') {
    return { format: formatOf(sent), reason: `its Content-Type is ${sent}` };
  }
  if (name.endsWith('.om')) return { format: 'openmetrics-1.0.0', reason: 'its name ends in .om' };
  if (name.endsWith('.prom')) return { format: 'text-1.0.0', reason: 'its name ends in .prom' };
  return endsInEof(bytes)
    ? { format: 'openmetrics-1.0.0', reason: 'its last line is # EOF' }
    : { format: 'text-1.0.0', reason: 'its last line is not # EOF' };
}

function endsInEof(bytes: Uint8Array): boolean {
  return /(?:^|\n)# EOF\s*$/.test(new TextDecoder().decode(bytes.subarray(-64)));
}
