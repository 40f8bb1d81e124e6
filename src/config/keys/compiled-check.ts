import { parseDuration } from '../../domain/duration.ts';
import { readGitLabUrl } from '../rules/gitlab-address.ts';
import { type Checked, type KnownKey, variableOf } from './known-key.ts';
import type { LeafName } from './leaf.ts';

/** A key of the schema as plain data: enough to accept a value, not to explain a refusal. */
export interface CompiledKey {
  readonly name: string;
  readonly type: KnownKey['type'];
  readonly required?: true;
  /** The kind of runners that it goes with; absent: both. */
  readonly only?: 'gitlab' | 'github';
  /** Whether no value at all is fine. */
  readonly optional?: true;
  /** Stands in where no layer gives a value. */
  readonly otherwise?: unknown;
  readonly check: CompiledCheck;
}

export type CompiledCheck =
  | { readonly kind: 'text'; readonly patterns: readonly RegExp[]; readonly most?: number }
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | {
      readonly kind: 'list';
      readonly item: CompiledCheck;
      readonly least?: number;
      readonly most?: number;
    }
  | {
      readonly kind: 'duration';
      readonly text: CompiledCheck;
      readonly minMs: number;
      readonly maxMs: number;
    }
  | { readonly kind: 'gitlab_url' };

/**
 * The keys without their schema, whose library takes longer to load than everything else before the
 * first request. What is accepted here the schema accepts with the same value, a test says so; what
 * is refused here is left to the schema, which may accept it still and otherwise says why.
 */
export function knownKeys(compiled: readonly CompiledKey[]): readonly KnownKey[] {
  return compiled.map((key) => {
    const path = key.name.split('.');
    return {
      path,
      name: key.name as LeafName,
      variable: variableOf(path),
      type: key.type,
      facts: {
        description: '',
        ...(key.required === true ? { required: true } : {}),
        ...(key.only === undefined ? {} : { only: key.only }),
      },
      check: (value) => check(key, value),
    };
  });
}

const refused = { kind: 'refused', issues: [{ path: [], message: 'refused' }] } as const;

function check(key: CompiledKey, given: unknown): Checked {
  const value = given === undefined ? key.otherwise : given;
  if (value === undefined && key.optional === true) return { kind: 'value', value };
  return accept(key.check, value);
}

function accept(one: CompiledCheck, value: unknown): Checked {
  switch (one.kind) {
    case 'text':
      return valueIf(isText(one, value), value);
    case 'whole':
      return valueIf(isWhole(one, value), value);
    case 'boolean':
      return valueIf(typeof value === 'boolean', value);
    case 'choice':
      return valueIf(typeof value === 'string' && one.options.includes(value), value);
    case 'list':
      return acceptList(one, value);
    case 'duration':
      return acceptDuration(one, value);
    case 'gitlab_url': {
      const read = typeof value === 'string' ? readGitLabUrl(value) : undefined;
      return read?.kind === 'url' ? { kind: 'value', value: read.url } : refused;
    }
  }
}

function valueIf(isFine: boolean, value: unknown): Checked {
  return isFine ? { kind: 'value', value } : refused;
}

function isText(one: CompiledCheck & { kind: 'text' }, value: unknown): value is string {
  if (typeof value !== 'string' || value.length > (one.most ?? value.length)) return false;
  return one.patterns.every((pattern) => pattern.test(value));
}

function isWhole({ min, max }: CompiledCheck & { kind: 'whole' }, value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function acceptList(one: CompiledCheck & { kind: 'list' }, value: unknown): Checked {
  if (!Array.isArray(value)) return refused;
  if (value.length < (one.least ?? 0) || value.length > (one.most ?? value.length)) return refused;
  // By index: a hole in a list is no item.
  const items = Array.from(value, (item) => accept(one.item, item));
  const accepted = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
  return valueIf(accepted.length === items.length, accepted);
}

function acceptDuration(one: CompiledCheck & { kind: 'duration' }, value: unknown): Checked {
  if (accept(one.text, value).kind === 'refused') return refused;
  if (value === 'none') return { kind: 'value', value };
  const milliseconds = parseDuration(String(value)) ?? Number.POSITIVE_INFINITY;
  return valueIf(milliseconds >= one.minMs && milliseconds <= one.maxMs, milliseconds);
}
