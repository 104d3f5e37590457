import { z } from 'zod';

import { configSchema } from '../../src/config/schema.ts';
import { code, type Page, pageHead, table } from './page.ts';

/** What of a JSON schema the config's own uses. */
interface Node {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const configPage: Page = {
  file: 'config.md',
  render() {
    const root = z.toJSONSchema(configSchema, { io: 'input' }) as Node;
    return `${pageHead('Configuration', 'src/config/schema.ts')}
One YAML file, \`penstock.yaml\` by default; [examples](../../examples) has one for each kind of engine. Unknown keys
are refused. \`penstock check FILE\` checks a file without starting anything.

* Durations carry their unit: \`500ms\`, \`1s\`, \`2m\`, at most \`24h\`. Sizes may: \`32MiB\`, \`64KB\`, or a number of bytes.
* \`\${NAME}\` in any text becomes that environment variable; \`$\${\` stays as \`\${\`. A variable that is not set is an
  error.
* Where a key may stand, a field that ends in \`File\` may name a file that holds it, relative to the config file.

An editor that knows YAML schemas takes [config.schema.json](config.schema.json).

${sections(root)}`;
  },
};

export const configSchemaPage: Page = {
  file: 'config.schema.json',
  render() {
    const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' });
    return `${JSON.stringify({ $schema, title: 'Penstock configuration', ...schema }, null, 2)}\n`;
  },
};

function sections(root: Node): string {
  return Object.entries(root.properties ?? {})
    .map(([name, node]) => `## ${code(name)}\n\n${node.description ?? ''}\n\n${sectionTable(name, node)}`)
    .join('\n');
}

function sectionTable(name: string, node: Node): string {
  if (node.items?.properties !== undefined) return fieldTable(`${name}[].`, node.items);
  if (node.properties !== undefined) return fieldTable(`${name}.`, node);
  const named = namedSection(node);
  if (named !== undefined) return fieldTable(`${name}.NAME.`, named);
  return `A section of ${code('name: model')} lines; none by default.\n`;
}

function fieldTable(prefix: string, { properties = {}, required = [] }: Node): string {
  return table(['key', 'value', 'default', 'what it does'], rowsOf(prefix, { properties, required }));
}

function rowsOf(prefix: string, { properties = {}, required = [] }: Node): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const key = `${prefix}${name}`;
    const isNeeded = required.includes(name);
    const row = [code(key), valueText(field), defaultText(field, isNeeded), field.description ?? ''];
    if (field.title !== undefined) return [row];
    // What an optional section needs is not needed by who leaves it out.
    if (field.properties !== undefined) return rowsOf(`${key}.`, { ...field, required: [] });
    const named = namedSection(field);
    return named === undefined ? [row] : [row, ...rowsOf(`${key}.FAMILY.`, named)];
  });
}

/** What each entry has in a section whose keys are names. */
function namedSection({ additionalProperties }: Node): Node | undefined {
  const each = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return each?.properties === undefined ? undefined : each;
}

function valueText(field: Node): string {
  if (field.enum !== undefined) return field.enum.map(code).join(', ');
  if (field.title !== undefined) return field.title;
  if (field.examples !== undefined) return `${field.examples.map(code).join(', ')}, or one of \`kinds\``;
  if (field.type === 'array') return 'a list of texts';
  if (field.type === 'object') return 'a section';
  if (field.type === 'number') return 'a number';
  if (field.type === 'integer') {
    const max = field.maximum === Number.MAX_SAFE_INTEGER ? undefined : field.maximum;
    return max === undefined ? `a whole number from ${field.minimum}` : `${field.minimum} to ${max}`;
  }
  if (field.type === 'boolean') return '`true`, `false`';
  return 'a text';
}

function defaultText({ default: value, type }: Node, required: boolean): string {
  if (required) return '**needed**';
  if (value === undefined || type === 'object' || (Array.isArray(value) && value.length === 0)) return 'none';
  return code(String(value));
}
