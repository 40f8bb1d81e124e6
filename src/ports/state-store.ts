import type { Effects } from './effect.ts';

/**
 * Store of status, record, lock, hold and tokens: Parameter Store, or a compatible one. Reads may
 * be stale, and there is no compare-and-swap.
 */
export interface StateStore {
  /** Reads a parameter; `undefined` only if the store reports that it does not exist. */
  find(name: string): Promise<Parameter | undefined>;
  /** Creates a parameter; `taken` if the name exists (or was deleted less than 30 s ago). */
  create(
    parameter: NewParameter,
  ): Promise<{ kind: 'created'; version: number } | { kind: 'taken' }>;
  /**
   * Overwrites without comparing and returns the new version, which the caller must compare. Never
   * retried.
   */
  overwrite(parameter: {
    name: string;
    value: string;
    secret?: boolean;
  }): Promise<{ version: number }>;
  /** Deletes a parameter; `absent` if it did not exist. */
  remove(name: string): Promise<'removed' | 'absent'>;
  /** Reads one version, to report what another writer wrote. */
  findVersion(name: string, version: number): Promise<Parameter | undefined>;
  /**
   * Lists every kept version (the newest 100), in any order; `undefined` as in `find`. The list is
   * not atomic: it may miss versions that are written meanwhile, and one before them.
   */
  listVersions(name: string): Promise<readonly Parameter[] | undefined>;
}

export const parameterEffects = {
  find: 'reads',
  create: 'writes',
  overwrite: 'writes',
  // No irreversible effect: another method has already removed the object of the value.
  remove: 'writes',
  findVersion: 'reads',
  listVersions: 'reads',
} as const satisfies Effects<StateStore>;

export interface Parameter {
  readonly value: string;
  /** Increases by 1 with every write, from 1. */
  readonly version: number;
  /** ISO 8601, the store's clock. */
  readonly modifiedAt: string;
}

export interface NewParameter {
  readonly name: string;
  readonly value: string;
  readonly secret?: boolean;
  /** Regular expression that every later value must match. */
  readonly allowedPattern?: string;
  readonly description?: string;
}
