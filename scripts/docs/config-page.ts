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

* Durations carry their unit: \`500ms\`, \`1s\`, \`2m\`. Sizes may: \`32MiB\`, \`64KB\`, or a number of bytes.
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
  return `A section of ${code('name: model')} lines; none by default.\n`;
}

function fieldTable(prefix: string, { properties = {}, required = [] }: Node): string {
  const rows = Object.entries(properties).map(([name, field]) => [
    code(`${prefix}${name}`),
    valueText(field),
    defaultText(field, required.includes(name)),
    field.description ?? '',
  ]);
  return table(['key', 'value', 'default', 'what it does'], rows);
}

function valueText(field: Node): string {
  if (field.enum !== undefined) return field.enum.map(code).join(', ');
  if (field.type === 'array') return 'a list of texts';
  if (field.type === 'integer') {
    const max = field.maximum === Number.MAX_SAFE_INTEGER ? undefined : field.maximum;
    return max === undefined ? `a whole number from ${field.minimum}` : `${field.minimum} to ${max}`;
  }
  if (field.type === 'boolean') return '`true`, `false`';
  return field.title ?? 'a text';
}

function defaultText({ default: value }: Node, required: boolean): string {
  if (required) return '**needed**';
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return code(String(value));
}
