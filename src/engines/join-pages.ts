import type { Exposition } from '../exposition/exposition.ts';
import { type WrittenFamily, writeText } from '../exposition/write-text.ts';

/** The pages of an engine's models as one page: each series says with `label` which model's it is. */
export function joinPages(
  pages: readonly { readonly model: string; readonly page: Exposition }[],
  label: string,
): string {
  const families: WrittenFamily[] = pages.flatMap(({ model, page }) => familiesOf(page, { [label]: model }));
  return writeText(families);
}

function familiesOf(page: Exposition, whose: Readonly<Record<string, string>>): readonly WrittenFamily[] {
  const byName = new Map(page.families.map((family) => [family.name, family]));
  const samples = new Map<string, WrittenFamily['samples'][number][]>();
  for (const sample of page.samples) {
    const name = byName.has(sample.name) ? sample.name : sample.name.replace(/_(bucket|sum|count)$/, '');
    const same = samples.get(name) ?? [];
    same.push({ name: sample.name, labels: { ...sample.labels, ...whose }, value: sample.value });
    samples.set(name, same);
  }
  return [...samples].map(([name, all]) => {
    const { type = 'unknown', help } = byName.get(name) ?? {};
    return { name, type, samples: all, ...(help === undefined ? {} : { help }) };
  });
}
