import { familyOf } from '../catalog/index.ts';
import type { Labels, Sample } from '../exposition/exposition.ts';
import { type WrittenFamily, writeText } from '../exposition/write-text.ts';
import { isRecord } from './marks.ts';
import type { JsonSample, OtherForm } from './profile.ts';

type JsonForm = Extract<OtherForm, { readonly json: unknown }>['json'];

/**
 * A page that is no exposition text as the text that says the same, so that everything behind reads one form. A
 * page without anything to say becomes a text without samples. Undefined: the body is not of this form.
 */
export function textOf(form: OtherForm, body: string): string | undefined {
  return 'json' in form ? textOfJson(form.json, body) : textOfLines(body);
}

function textOfJson(form: JsonForm, body: string): string | undefined {
  let page: unknown;
  try {
    page = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (form.newestOf === true) {
    if (!Array.isArray(page)) return undefined;
    if (page.length === 0) return '# nothing new since it was last read\n';
    page = page.at(-1);
  }
  if (!isRecord(page)) return undefined;
  const model = form.model === undefined ? undefined : at(page, form.model.at);
  const common: Labels =
    form.model === undefined || typeof model !== 'string' ? {} : { [form.model.label]: model };
  const families = new Map<string, Sample[]>();
  for (const source of form.samples) {
    const value = figure(source, at(page, source.at));
    if (value === undefined) continue;
    const same = families.get(source.name) ?? [];
    same.push({ name: source.name, labels: { ...common, ...source.labels }, value });
    families.set(source.name, same);
  }
  return writeText([...families].map(([name, samples]) => family(name, samples)));
}

function family(name: string, samples: readonly Sample[]): WrittenFamily {
  const known = familyOf(name);
  return {
    name,
    type: known?.type ?? 'unknown',
    samples,
    ...(known === undefined ? {} : { help: known.help }),
  };
}

function figure({ over = 1, oneOf }: JsonSample, value: unknown): number | undefined {
  if (oneOf !== undefined) return typeof value === 'string' ? Number(oneOf.includes(value)) : undefined;
  return typeof value === 'number' ? value / over : undefined;
}

function at(page: unknown, path: string): unknown {
  let value = page;
  for (const field of path.split('.')) value = isRecord(value) ? value[field] : undefined;
  return value;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^{}"]*)\})?\t(\S+)$/;

/** Only what stands on lines of this form: whatever else is on the page is none of it. */
function textOfLines(body: string): string | undefined {
  const lines = body.split(/\r?\n/).flatMap((line) => {
    const [, name, labels, value = ''] = LINE.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) return [];
    return [`${name}${quoted(labels)} ${value}`];
  });
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

function quoted(labels: string | undefined): string {
  if (labels === undefined || labels === '') return '';
  const pairs = labels.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return `${name.trim()}="${value.trim().replace(/\\/g, '\\\\')}"`;
  });
  return `{${pairs.join(',')}}`;
}
