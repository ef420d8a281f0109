/**
 * Redacts an object by its schema: free text is scanned, codes of a closed list stay as they are, keys of free records are scanned as
 * well. A field that the schema does not know is dropped: nothing passes unseen.
 */
import type { z } from 'zod';

/** Called for each free text; `path` are the keys that lead to it, without positions in lists. */
export type TextStep = (text: string, path: readonly string[]) => string;

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** The part of zod's own description of a schema that is read here. */
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** `value` must fit `schema`; what is returned fits it too, as long as `step` returns text. Throws for kinds of schema that reports do not use. */
export function walkTexts(schema: z.ZodType, value: unknown, step: TextStep, path: readonly string[] = []): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return typeof value === 'string' ? step(value, path) : value;
    case 'number':
    case 'int':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return value;
    case 'nullable':
    case 'optional':
      return value === null || value === undefined || def.innerType === undefined
        ? value
        : walkTexts(def.innerType, value, step, path);
    case 'array':
      return Array.isArray(value) && def.element !== undefined
        ? value.map((item) => walkTexts(def.element as z.ZodType, item, step, path))
        : value;
    case 'object':
      return walkObject(def.shape ?? {}, value, step, path);
    case 'record':
      return walkRecord(def.valueType, value, step, path);
    default:
      throw new Error(`a schema of type ${def.type} cannot be redacted`);
  }
}

function walkObject(
  shape: Readonly<Record<string, z.ZodType>>,
  value: unknown,
  step: TextStep,
  path: readonly string[],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const out: [string, unknown][] = [];
  for (const [key, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(value, key)) continue;
    const field: unknown = Reflect.get(value, key);
    if (field !== undefined) out.push([key, walkTexts(schema, field, step, [...path, key])]);
  }
  return Object.fromEntries(out);
}

function walkRecord(
  valueType: z.ZodType | undefined,
  value: unknown,
  step: TextStep,
  path: readonly string[],
): unknown {
  if (typeof value !== 'object' || value === null || valueType === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [step(key, path), walkTexts(valueType, field, step, [...path, key])]),
  );
}
