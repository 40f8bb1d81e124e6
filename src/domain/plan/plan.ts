/** Plan as far as the guard needs it, from `terraform show -json PLAN`. */
export interface PlanDocument {
  readonly formatVersion: string;
  readonly changes: readonly PlannedChange[];
  /** Kinds of effects in the plan other than resource changes, such as deferred ones. */
  readonly beyond: readonly string[];
  readonly errored: boolean;
  /** `undefined`: this version of the tool does not report it. */
  readonly complete: boolean | undefined;
  readonly applyable: boolean | undefined;
  readonly outputsChange: boolean;
}

export interface PlannedChange {
  readonly address: string;
  readonly previousAddress?: string;
  readonly type: string;
  readonly actions: readonly string[];
  readonly isData: boolean;
  /** Remainder of a killed create-before-destroy. */
  readonly isDeposed: boolean;
  readonly isImport: boolean;
  readonly importId?: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly afterUnknown: unknown;
  /** `true` in the place of each secret value. */
  readonly afterSensitive: unknown;
  /** Values that force a replacement instead of a change in place. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
}

export interface PlannedCounts {
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
}

export function countChanges(changes: readonly PlannedChange[]): PlannedCounts {
  const having = (action: string) =>
    changes.filter(({ actions }) => actions.includes(action)).length;
  return { add: having('create'), change: having('update'), destroy: having('delete') };
}

/** Returns whether the plan would change nothing. */
export function isEmptyPlan({ changes, outputsChange, beyond }: PlanDocument): boolean {
  return (
    !outputsChange &&
    beyond.length === 0 &&
    changes.every((one) => isNoChange(one) && !one.isImport)
  );
}

export function isNoChange({ actions }: PlannedChange): boolean {
  return actions.length === 1 && actions[0] === 'no-op';
}
