import type { Signals } from '../../engines/signals.ts';
import type { ContractState } from '../../fleet/engine-view.ts';
import { printable } from '../../kit/printable.ts';
import { shorten } from '../../kit/shorten.ts';
import type { Paint } from '../paint.ts';
import { KEPT_BLANK, wrap } from '../wrap.ts';
import type { Finding, Gap } from './finding.ts';

/** One engine as a short block of aligned lines. */
export function findingText(finding: Finding, paint: Paint): string {
  const { name, url, fine, certainty, health, healthProblem, pageProblem } = finding;
  const rows: [string, string][] = [];
  if (finding.reason !== undefined) {
    rows.push(['kind', kindText(finding)]);
    if (finding.stranger === undefined) rows.push(['version', finding.version ?? 'it does not say']);
  }
  rows.push(['health', healthProblem === undefined ? health : `${health}: ${healthProblem}`]);
  if (certainty !== 'none' || finding.reason !== undefined) rows.push(['models', modelsText(finding)]);
  if (finding.metricsPath !== undefined)
    rows.push(['metrics', `read at ${url}${finding.metricsPath}, where the page stood that showed its kind`]);
  if (pageProblem !== undefined) rows.push(['metrics', pageProblem]);
  if (finding.reason !== undefined && finding.stranger === undefined)
    rows.push(['contract', contractText(finding)]);
  if (finding.signals !== undefined) rows.push(['signals', signalsText(finding.signals)]);
  for (const gap of finding.missing) rows.push(['missing', gapText(gap)]);
  for (const { family, why } of finding.never) rows.push(['never', `${family}: ${why}`]);
  for (const line of finding.advice) rows.push(['do', line]);
  return `${headText(fine, `${name}  ${url}`, paint)}${rowsText(rows, paint)}`;
}

export function headText(fine: boolean, title: string, paint: Paint): string {
  return `${fine ? paint('good', 'ok  ') : paint('bad', 'FAIL')} ${paint('head', printable(title))}\n`;
}

/** Label and text, the label once where several rows have it. */
export function rowsText(rows: readonly (readonly [string, string])[], paint: Paint): string {
  return rows
    .map(([left, right], at) => {
      const label = (at > 0 && rows[at - 1]?.[0] === left ? '' : left).padEnd(9);
      return `  ${paint(left === 'do' ? 'caution' : 'faint', label)}${wrap(`  ${label} `, printable(right)).slice(2 + label.length)}`;
    })
    .join('');
}

function kindText({ title, certainty, reason, stranger }: Finding): string {
  // That somebody said so is the whole reason.
  return certainty === 'configured' && stranger === undefined
    ? `${title} (configured)`
    : `${title} (${certainty === 'none' ? '' : `${certainty}: `}${reason})`;
}

function modelsText({ models, modelsProblem }: Finding): string {
  if (models.length === 0) return modelsProblem === undefined ? 'none' : `none: ${modelsProblem}`;
  const shown = models
    .slice(0, 8)
    .map(({ id, loaded }) => `${shorten(id, 128)}${loaded === false ? ' (not loaded)' : ''}`);
  return `${shown.join(', ')}${models.length > shown.length ? `, and ${models.length - shown.length} more` : ''}`;
}

const BY_WHAT_WAS_SENT = 'it is judged by what Penstock itself sent it';

const CONTRACTS: Readonly<Record<ContractState, string>> = {
  complete: 'complete',
  partial: 'partial: not all that its kind tells is on its page; it is routed by what is',
  blind: `blind: its page does not say what runs or waits; ${BY_WHAT_WAS_SENT}`,
  stuck: 'stuck: it claims work that does not move',
  malformed: 'malformed: its page is not valid, and Prometheus would refuse it whole',
  none: `none: its page says neither what runs nor what waits; ${BY_WHAT_WAS_SENT}`,
  unseen: `unseen: no page came; ${BY_WHAT_WAS_SENT}`,
};

function contractText({ contract, signals, title }: Finding): string {
  return contract === 'none' && signals === undefined
    ? `none: ${title} has no metrics; ${BY_WHAT_WAS_SENT}`
    : CONTRACTS[contract];
}

function gapText({ family, flag, since }: Gap): string {
  if (flag !== undefined) return `${family} (${flag} brings it)`;
  return since === undefined ? family : `${family} (since ${since})`;
}

function signalsText(signals: Signals): string {
  const { running, waiting, kvUsage, kvCapacityTokens, promptTokens, generationTokens, ranks } = signals;
  const parts: readonly [string, string | undefined][] = [
    ['running', text(running)],
    ['waiting', text(waiting)],
    ['KV in use', kvUsage === undefined ? undefined : `${Math.round(kvUsage * 1000) / 10} %`],
    ['KV tokens', text(kvCapacityTokens)],
    ['prompt tokens', text(promptTokens)],
    ['generated tokens', text(generationTokens)],
    ['ranks', ranks.length > 1 ? String(ranks.length) : undefined],
  ];
  const known = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`.replaceAll(' ', KEPT_BLANK)],
  );
  return known.length === 0 ? 'none' : known.join(', ');
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
