import type { z } from 'zod';
import type { KeyFacts } from './key.ts';
import { type StackKeys, stackSchema } from './schema.ts';

/** A key that holds a value rather than other keys. */
export interface Leaf {
  readonly path: readonly string[];
  /** `drain.timeout`: how errors and `--set` spell it. */
  readonly name: LeafName;
  /** `HOSTED_RUNNER_DRAIN_TIMEOUT`. */
  readonly variable: string;
  readonly schema: z.ZodType;
  readonly facts: KeyFacts;
  /** What a variable's text is turned into. */
  readonly type: 'text' | 'number' | 'boolean' | 'words' | 'argv';
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

/** The schema of a section, or undefined where the key is unknown or holds a value. */
export function findSection(schema: z.ZodObject, name: string): z.ZodObject | undefined {
  const inner = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  return inner !== undefined && isSection(inner) ? inner : undefined;
}

function isSection(schema: z.core.$ZodType): schema is z.ZodObject {
  return schema._zod.def.type === 'object';
}

function describeLeaf(schema: z.ZodType, path: readonly string[]): Leaf {
  const facts = schema.meta() as unknown as KeyFacts;
  return {
    path,
    name: path.join('.') as LeafName,
    variable: `HOSTED_RUNNER_${path.join('_').toUpperCase()}`,
    schema,
    facts,
    type: typeOf(schema, facts),
  };
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
