import type { Combined } from '../../engines/combine.ts';
import { formatValue } from '../../exposition/format-number.ts';
import { COLUMNS, wrap } from '../wrap.ts';
import type { ReadPage } from './page-report.ts';

/** Every figure under vLLM's name, ranks combined; '' where there is none. */
export function signalsText({ signals, reading }: ReadPage): string {
  const rows = Object.entries(signals);
  if (rows.length === 0) return 'Figures: none\n';
  const ranks = reading.ranks.length > 1 ? `, ${reading.ranks.length} ranks combined` : '';
  return `Figures, under vLLM's names${ranks}\n${rows.map(row).join('')}`;
}

function row([name, value]: [string, Combined]): string {
  const [family = '', ...own] = name.split(/(?=\{)/);
  // Of an info family the labels are the content.
  if (family.endsWith('_info') && own.length > 0) {
    return `  ${family}\n${wrap('    ', own.join('').replace(/",(?=[A-Za-z_]\w*=")/g, '", '))}`;
  }
  const left = `  ${name}`;
  const right = valueText(value);
  return left.length + right.length < COLUMNS
    ? `${left}${right.padStart(COLUMNS - left.length)}\n`
    : `${left}\n${right.padStart(COLUMNS)}\n`;
}

function valueText(value: Combined): string {
  if (typeof value === 'number') return numberText(value);
  const { count, sum } = value;
  if (sum === undefined) return `${numberText(count)} times`;
  const mean = count === 0 ? '' : `, mean ${numberText(Number((sum / count).toPrecision(3)))}`;
  return `${numberText(count)} times${mean}`;
}

/** Whole numbers in groups of three; of a fraction no more digits than mean anything. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return formatValue(value);
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? value.toLocaleString('en') : String(value);
  return String(Number(value.toPrecision(6)));
}
