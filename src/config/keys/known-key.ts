import type { LeafName } from './leaf.ts';

/** What a value of one key is turned into, or why it is refused. */
export type Checked =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

export interface Issue {
  /** Within the value: the index of an item. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** As much of a key as reading a configuration needs, whoever checks it. */
export interface KnownKey {
  readonly path: readonly string[];
  /** `drain.timeout`: how errors and `--set` spell it. */
  readonly name: LeafName;
  /** `HOSTED_RUNNER_DRAIN_TIMEOUT`. */
  readonly variable: string;
  /** What a variable's text is turned into. */
  readonly type: 'text' | 'number' | 'boolean' | 'words' | 'argv';
  readonly facts: {
    readonly description: string;
    readonly required?: boolean;
    readonly only?: 'gitlab' | 'github';
  };
  check(value: unknown): Checked;
}

/** The keys below one section; a section among them is one again. */
export type KeyTree = ReadonlyMap<string, KeyTree | 'key'>;

export function treeOf(keys: readonly Pick<KnownKey, 'path'>[]): KeyTree {
  const root = new Map<string, KeyTree | 'key'>();
  for (const { path } of keys) {
    let place = root;
    for (const name of path.slice(0, -1)) {
      const inner = (place.get(name) ?? new Map()) as Map<string, KeyTree | 'key'>;
      place.set(name, inner);
      place = inner;
    }
    place.set(path.at(-1) ?? '', 'key');
  }
  return root;
}

export function variableOf(path: readonly string[]): string {
  return `HOSTED_RUNNER_${path.join('_').toUpperCase()}`;
}
