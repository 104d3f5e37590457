import type { Signals } from '../../engines/signals.ts';
import type { Finding } from './finding.ts';

/** One engine as a short block of aligned lines. */
export function findingText(finding: Finding): string {
  const { name, url, fine, title, certainty, reason, version, health, problem, contract, advice } = finding;
  const rows: [string, string][] = [['health', problem === undefined ? health : `${health}: ${problem}`]];
  if (reason !== undefined) {
    rows.unshift(['kind', `${title} (${certainty}: ${reason})`], ['version', version ?? 'it does not say']);
    rows.push(['models', modelsText(finding)], ['contract', contract]);
  }
  if (finding.signals !== undefined) rows.push(['signals', signalsText(finding.signals)]);
  for (const { family, flag } of finding.missing) {
    rows.push(['missing', flag === undefined ? family : `${family} (${flag} brings it)`]);
  }
  for (const { family, why } of finding.never) rows.push(['never', `${family}: ${why}`]);
  for (const line of advice) rows.push(['do', line]);
  const body = rows.map(([left, right], at) => {
    const label = at > 0 && rows[at - 1]?.[0] === left ? '' : left;
    return `  ${label.padEnd(9)} ${right}\n`;
  });
  return `${fine ? 'ok  ' : 'FAIL'} ${name}  ${url}\n${body.join('')}`;
}

function modelsText({ models }: Finding): string {
  if (models.length === 0) return 'none listed';
  const shown = models.slice(0, 8).map(({ id, loaded }) => (loaded === false ? `${id} (not loaded)` : id));
  return `${shown.join(', ')}${models.length > shown.length ? `, and ${models.length - shown.length} more` : ''}`;
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
  const known = parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return known.length === 0 ? 'none' : known.join(', ');
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
