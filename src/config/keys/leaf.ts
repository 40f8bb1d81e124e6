import type { z } from 'zod';
import type { KeyFacts } from './key.ts';
import { type Checked, type KnownKey, variableOf } from './known-key.ts';
import { type StackKeys, stackSchema } from './schema.ts';

/** A key that holds a value rather than other keys. */
export interface Leaf extends KnownKey {
  readonly schema: z.ZodType;
  readonly facts: KeyFacts;
}

export type LeafName = PathOf<StackKeys>;
export type LeafValue<Name extends LeafName> = ValueAt<StackKeys, Name>;

type Scalar = string | number | boolean | undefined | readonly unknown[];
type PathOf<Keys> = {
  [Key in keyof Keys & string]: Keys[Key] extends Scalar ? Key : `${Key}.${PathOf<Keys[Key]>}`;
}[keyof Keys & string];
type ValueAt<Keys, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Keys
    ? ValueAt<Keys[Head], Rest>
    : never
  : Path extends keyof Keys
    ? Keys[Path]
    : never;

/** Every key of a stack in the order of the schema. */
export function listLeaves(): readonly Leaf[] {
  return collect(stackSchema, []);
}

function collect(schema: z.ZodObject, path: readonly string[]): Leaf[] {
  return Object.entries(schema.shape).flatMap(([name, inner]) =>
    isSection(inner)
      ? collect(inner, [...path, name])
      : [describeLeaf(inner as z.ZodType, [...path, name])],
  );
}

function isSection(schema: z.core.$ZodType): schema is z.ZodObject {
  return schema._zod.def.type === 'object';
}

function describeLeaf(schema: z.ZodType, path: readonly string[]): Leaf {
  const facts = schema.meta() as unknown as KeyFacts;
  return {
    path,
    name: path.join('.') as LeafName,
    variable: variableOf(path),
    schema,
    facts,
    type: typeOf(schema, facts),
    check: (value) => check(schema, value),
  };
}

function check(schema: z.ZodType, value: unknown): Checked {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { kind: 'value', value: parsed.data }
    : { kind: 'refused', issues: parsed.error.issues };
}

function typeOf(schema: z.core.$ZodType, facts: KeyFacts): Leaf['type'] {
  const { def } = schema._zod as { def: Unwrappable };
  switch (def.type) {
    case 'optional':
    case 'prefault':
      return def.innerType === undefined ? 'text' : typeOf(def.innerType, facts);
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return facts.unit === 'argv' ? 'argv' : 'words';
    default:
      return 'text';
  }
}

interface Unwrappable {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
}
