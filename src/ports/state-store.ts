import type { Effects } from './effect.ts';

/** Where status, record, lock, hold and tokens live: Parameter Store, or what behaves like it. Reads may be stale; there is no compare-and-swap. */
export interface StateStore {
  /** `undefined` only if the store itself said that there is no such parameter. */
  find(name: string): Promise<Parameter | undefined>;
  /** Creates a parameter; `taken` if the name exists (or was deleted less than 30 s ago). */
  create(
    parameter: NewParameter,
  ): Promise<{ kind: 'created'; version: number } | { kind: 'taken' }>;
  /** Overwrites without comparing and returns the new version. The caller compares. Never retried below. */
  overwrite(parameter: {
    name: string;
    value: string;
    secret?: boolean;
  }): Promise<{ version: number }>;
  /** `absent` if there was nothing to delete. */
  remove(name: string): Promise<'removed' | 'absent'>;
  /** The value of one version, for telling what another writer wrote. */
  findVersion(name: string, version: number): Promise<Parameter | undefined>;
  /**
   * Every version that is kept (the newest 100), in any order; `undefined` as `find`. It is no
   * snapshot: versions that are written meanwhile may be there or not, and one may be missing.
   */
  listVersions(name: string): Promise<readonly Parameter[] | undefined>;
}

export const parameterEffects = {
  find: 'reads',
  create: 'writes',
  overwrite: 'writes',
  // What the value was for has gone before it, by another method.
  remove: 'writes',
  findVersion: 'reads',
  listVersions: 'reads',
} as const satisfies Effects<StateStore>;

export interface Parameter {
  readonly value: string;
  /** Counts up from 1 with every write. */
  readonly version: number;
  /** ISO 8601, the store's clock. */
  readonly modifiedAt: string;
}

export interface NewParameter {
  readonly name: string;
  readonly value: string;
  readonly secret?: boolean;
  /** A regular expression that every later value must match. */
  readonly allowedPattern?: string;
  readonly description?: string;
}
