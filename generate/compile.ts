import type { z } from 'zod';
import type { CompiledCheck, CompiledKey } from '../src/config/keys/compiled-check.ts';
import { type Leaf, listLeaves } from '../src/config/keys/leaf.ts';
import { parseDuration } from '../src/domain/duration.ts';

export const compiledPath = 'src/config/keys/compiled-keys.ts';

/** The schema as plain data. Throws on whatever `compiled-check.ts` cannot keep word for word. */
export function compileKeys(leaves: readonly Leaf[] = listLeaves()): readonly CompiledKey[] {
  return leaves.map(({ name, type, facts, schema }) => ({
    name,
    type,
    ...(facts.required === true ? { required: true as const } : {}),
    ...(facts.only === undefined ? {} : { only: facts.only }),
    ...compileSchema(schema),
  }));
}

/** One key a line: a difference then names the key that has changed. */
export function renderCompiledKeys(): string {
  return `// Generated from schema.ts by scripts/generate.js.
import type { CompiledKey } from './compiled-check.ts';

// biome-ignore format: one key a line
export const compiledKeys: readonly CompiledKey[] = [
${compileKeys()
  .map((key) => `  ${source(key)},`)
  .join('\n')}
];
`;
}

function source(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(source).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => `${name}: ${source(inner)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' && !/['\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value);
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly defaultValue?: unknown;
  readonly element?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly checks?: readonly z.core.$ZodCheck[];
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

function compileSchema(
  schema: z.core.$ZodType,
): Pick<CompiledKey, 'check' | 'optional' | 'otherwise'> {
  const { type, innerType, defaultValue } = definitionOf(schema);
  if (innerType === undefined) return { check: compileCheck(schema) };
  const inner = compileSchema(innerType);
  if (type === 'optional') return { ...inner, optional: true };
  if (type === 'prefault') return { ...inner, otherwise: defaultValue };
  throw new Error(`nobody compiles ${type} yet`);
}

function compileCheck(schema: z.core.$ZodType): CompiledCheck {
  const { type, element, entries = {}, in: input } = definitionOf(schema);
  switch (type) {
    case 'string':
      return compileText(schema);
    case 'number':
      return { kind: 'whole', min: limit(schema, 'greater_than'), max: limit(schema, 'less_than') };
    case 'boolean':
      return { kind: 'boolean' };
    case 'enum':
      return { kind: 'choice', options: Object.values(entries) };
    case 'array':
      if (element === undefined) break;
      return { kind: 'list', item: compileCheck(element), ...compileLength(schema) };
    case 'pipe':
      if (input === undefined) break;
      return compilePipe(schema as z.ZodType, input);
    default:
  }
  throw new Error(`nobody compiles ${type} yet`);
}

interface Check {
  readonly check: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
}

function checksOf(schema: z.core.$ZodType): readonly Check[] {
  return (definitionOf(schema).checks ?? []).map((one) => one._zod.def as unknown as Check);
}

function compileText(schema: z.core.$ZodType): CompiledCheck {
  const patterns: RegExp[] = [];
  let most: number | undefined;
  for (const { check, pattern, maximum } of checksOf(schema)) {
    if (check === 'string_format' && pattern !== undefined) patterns.push(pattern);
    else if (check === 'max_length' && maximum !== undefined) most = maximum;
    else throw new Error(`nobody compiles the check ${check} yet`);
  }
  return { kind: 'text', patterns, ...(most === undefined ? {} : { most }) };
}

function compileLength(schema: z.core.$ZodType): { least?: number; most?: number } {
  const lengths: { least?: number; most?: number } = {};
  for (const { check, minimum, maximum, length } of checksOf(schema)) {
    const least = minimum ?? length;
    const most = maximum ?? length;
    if (least === undefined && most === undefined) {
      throw new Error(`nobody compiles the check ${check} yet`);
    }
    if (least !== undefined) lengths.least = least;
    if (most !== undefined) lengths.most = most;
  }
  return lengths;
}

function limit(schema: z.core.$ZodType, kind: 'greater_than' | 'less_than'): number {
  const checks = checksOf(schema);
  const strange = checks.find(
    ({ check, inclusive }) =>
      !['number_format', 'greater_than', 'less_than'].includes(check) || inclusive === false,
  );
  const value = checks.findLast(({ check }) => check === kind)?.value;
  if (strange !== undefined || value === undefined) {
    throw new Error('only whole numbers from … to … are compiled');
  }
  return value;
}

/** What a transformation does cannot be read off it, so it carries its name. */
function compilePipe(schema: z.ZodType, input: z.core.$ZodType): CompiledCheck {
  const { compiles, bounds } = (schema.meta() ?? {}) as {
    compiles?: string;
    bounds?: { min: string; max: string };
  };
  if (compiles === 'gitlab_url') return { kind: 'gitlab_url' };
  if (compiles !== 'duration' || bounds === undefined) {
    throw new Error('a transformation that does not say how it compiles');
  }
  const [minMs, maxMs] = [parseDuration(bounds.min), parseDuration(bounds.max)];
  if (minMs === undefined || maxMs === undefined) throw new Error('bounds that are no durations');
  return { kind: 'duration', text: compileCheck(input), minMs, maxMs };
}
