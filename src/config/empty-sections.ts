import { isSection, keysOf, type Schema, schemaOf } from './schema-at.ts';

/**
 * The same content without sections that hold nothing: `aliases:` with every line below it commented out. To YAML that
 * is null; to whoever wrote it, a section without content.
 */
export function withoutEmptySections(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmptySections(item, schemaOf(schema, 0)));
  if (typeof value !== 'object' || value === null) return value;
  // What somebody gave a name of their own is there on purpose.
  const known = new Set(keysOf(schema));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => item !== null || !(known.has(key) && isSection(schemaOf(schema, key))))
      .map(([key, item]) => [key, withoutEmptySections(item, schemaOf(schema, key))]),
  );
}
