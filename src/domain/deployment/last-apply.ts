/** Result of a shard's last apply. */
export interface LastApply {
  readonly at: string;
  readonly added?: number;
  readonly changed?: number;
  readonly destroyed?: number;
  /** Digest of the changes that its plan made in place. */
  readonly updates?: string;
  /** Resources that it changed exactly as the previous apply did, if it changed nothing else. */
  readonly repeated?: string;
}

/**
 * Returns whether an apply changed something: it did, unless its driver reports zero for all
 * counts.
 */
export function changedSomething(apply: Omit<LastApply, 'at'>): boolean {
  const counts = [apply.added, apply.changed, apply.destroyed];
  return !counts.every((count) => count === 0);
}

/**
 * Returns whether an apply justifies another attempt. Repeating the previous apply's changes does
 * not.
 */
export function broughtChange(apply: LastApply): boolean {
  return apply.repeated === undefined && changedSomething(apply);
}

/** Formats the result of an apply that does not justify another attempt. */
export function describeNoChange({ repeated }: Pick<LastApply, 'repeated'>): string {
  return repeated === undefined
    ? 'changed nothing'
    : `only repeated the changes of each plan (${repeated})`;
}
