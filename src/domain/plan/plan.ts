/** A tool's plan as far as the guard needs it: what `terraform show -json PLAN` says. */
export interface PlanDocument {
  readonly formatVersion: string;
  readonly changes: readonly PlannedChange[];
  /** Kinds of effects besides changes of resources that the plan holds, such as deferred ones. */
  readonly beyond: readonly string[];
  readonly errored: boolean;
  /** `undefined`: this version of the tool does not say. */
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
  /** What a killed create-before-destroy left behind. */
  readonly isDeposed: boolean;
  readonly isImport: boolean;
  readonly importId?: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly afterUnknown: unknown;
  /** `true` in the place of each secret value. */
  readonly afterSensitive: unknown;
  /** Which values make it be built anew rather than changed in place. */
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

/** Whether carrying it out would do anything at all. */
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
