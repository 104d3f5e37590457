import type { ExpositionFormat } from '../../exposition/exposition.ts';
import { wrap } from '../wrap.ts';
import { familiesText } from './families-text.ts';
import { gatewayText } from './gateway-page.ts';
import { kindText } from './kind-text.ts';
import { missingText } from './missing-text.ts';
import type { PageReport } from './page-report.ts';
import { refusedText } from './refused-text.ts';
import { signalsText } from './signals-text.ts';

const FORMAT_NAMES: Readonly<Record<ExpositionFormat, string>> = {
  'text-0.0.4': 'Prometheus text 0.0.4',
  'text-1.0.0': 'Prometheus text',
  'openmetrics-1.0.0': 'OpenMetrics 1.0.0',
};

/** A report for a person, within 80 columns but for names that are longer. */
export function reportText(name: string, report: PageReport): string {
  const { format, bytes, verdict } = report;
  const words = verdict === 'valid' ? 'a valid page of' : 'not a valid page of';
  const size = `${bytes.length.toLocaleString('en')} bytes`;
  const what = `${words} ${FORMAT_NAMES[format.format]} (${format.reason}), ${size}`;
  const head = `${name === '-' ? 'standard input' : name}\n${wrap('  ', what)}`;
  if (report.verdict === 'invalid') return `${head}\n${refusedText(report)}`;
  if (report.engines.length > 0) return [head, familiesText(report), gatewayText(report.engines)].join('\n');
  const sections = [familiesText(report), kindText(report), signalsText(report), missingText(report)];
  return [head, ...sections.filter((text) => text !== '')].join('\n');
}
