/** What the last apply of a shard did. */
export interface LastApply {
  readonly at: string;
  readonly added?: number;
  readonly changed?: number;
  readonly destroyed?: number;
  /** Digest of what its plan changed in place. */
  readonly updates?: string;
  /** The resources that it changed just as the apply before it did, if it changed nothing else. */
  readonly repeated?: string;
}

/** An apply changed something unless its driver says that all counts are zero. */
export function changedSomething(apply: Omit<LastApply, 'at'>): boolean {
  const counts = [apply.added, apply.changed, apply.destroyed];
  return !counts.every((count) => count === 0);
}

/** Whether an apply is a reason for another try. One that repeats the changes of the apply before it is none. */
export function broughtChange(apply: LastApply): boolean {
  return apply.repeated === undefined && changedSomething(apply);
}

/** What is reported of an apply that is no reason for another try. */
export function describeNoChange({ repeated }: Pick<LastApply, 'repeated'>): string {
  return repeated === undefined
    ? 'changed nothing'
    : `only repeated what each plan changes (${repeated})`;
}
