import type { z } from 'zod';

export type Schema = z.core.$ZodType;

/** The schema of one part of what this one describes; undefined where it has no such part. */
export function schemaOf(schema: Schema | undefined, part: string | number): Schema | undefined {
  if (schema === undefined) return undefined;
  const { def } = unwrap(schema)._zod;
  if (isObject(def)) return def.shape[part];
  if (isArray(def)) return def.element;
  return isRecord(def) ? def.valueType : undefined;
}

/** The keys that a section may have; none where it takes any, or is no section. */
export function keysOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { def } = unwrap(schema)._zod;
  return isObject(def) ? Object.keys(def.shape) : [];
}

/** Whether it is written as "name: value" lines. */
export function isSection(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const { def } = unwrap(schema)._zod;
  return isObject(def) || isRecord(def);
}

/** Without what makes it optional or gives it a default. */
function unwrap(schema: Schema): Schema {
  const def = schema._zod.def as { readonly innerType?: Schema };
  return def.innerType === undefined ? schema : unwrap(def.innerType);
}

type Def = z.core.$ZodTypeDef;

function isObject(def: Def): def is z.core.$ZodObjectDef {
  return def.type === 'object';
}

function isArray(def: Def): def is z.core.$ZodArrayDef {
  return def.type === 'array';
}

function isRecord(def: Def): def is z.core.$ZodRecordDef {
  return def.type === 'record';
}
