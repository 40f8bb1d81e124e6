import type { Place } from '../../../model/outcome.ts';
import type { Command } from '../../stages/drive.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import type { Variant } from './variants.ts';

/**
 * Beginning of a schedule. Plain data, because it is printed, sent to workers and typed to
 * reproduce a failure.
 */
export interface Beginning {
  /** Place in a deployment; `nothing` for an account without the stack. */
  readonly place: Place | 'nothing';
  /** Shard that accepts jobs at the beginning. The deployment replaces it. */
  readonly active: 'pink' | 'purple';
  readonly record: RecordKind;
  /** First command, if it differs from the pipeline's. */
  readonly first?: Command;
  /** Difference in the configuration or in the world. */
  readonly variant?: Variant;
}

export type RecordKind =
  /** The CI ended the last job, and the same pipeline resumes. */
  | 'fresh'
  /** The last job was killed a moment ago and left its lock. The job runs again. */
  | 'resumed'
  /** The CI ended the last job, and a new pipeline adopts the deployment. */
  | 'adopted'
  /** An operator swapped the shards in the status. */
  | 'edited';

export interface PlannedFault {
  /** Number of the struck run of hosted-runner, from 0. */
  readonly run: number;
  /** Number of the struck call in the run, from 0. */
  readonly call: number;
  readonly mode: FaultMode;
}

export interface Scenario extends Beginning {
  readonly faults: readonly PlannedFault[];
}

export const recordKinds: readonly RecordKind[] = ['fresh', 'resumed', 'adopted', 'edited'];
export const actives = ['pink', 'purple'] as const;

/**
 * Formats a scenario, e.g. `promoting/pink/adopted 0:17:crash_after`,
 * `rollback@promoted/pink/fresh`, `prepared/pink/fresh/project`.
 */
export function formatScenario({
  place,
  active,
  record,
  first,
  variant,
  faults,
}: Scenario): string {
  const typed = first === undefined ? '' : `${first}@`;
  const kind = variant === undefined ? '' : `/${variant}`;
  const beginning = `${typed}${place}/${active}/${record}${kind}`;
  const struck = faults.map(({ run, call, mode }) => `${run}:${call}:${mode}`);
  return [beginning, ...struck].join(' ');
}

export function parseScenario(text: string): Scenario {
  const [beginning = '', ...faults] = text.trim().split(/\s+(?=\d+:\d+:)/);
  const at = beginning.lastIndexOf('@');
  const [place, active, record, variant] = beginning.slice(at + 1).split('/');
  return {
    place: place as Scenario['place'],
    active: active as Scenario['active'],
    record: record as RecordKind,
    ...(variant === undefined ? {} : { variant: variant as Variant }),
    ...(at === -1 ? {} : { first: beginning.slice(0, at) as Command }),
    faults: faults.map((fault) => {
      const [run = '', call = '', mode = ''] = fault.split(':');
      return { run: Number(run), call: Number(call), mode: mode as FaultMode };
    }),
  };
}
