import type { Place } from '../../../model/outcome.ts';
import type { Command } from '../../stages/drive.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import type { Variant } from './variants.ts';

/** Where a schedule begins. Plain data: it is printed, sent to workers and typed to reproduce. */
export interface Beginning {
  /** `nothing`: an account without the stack. */
  readonly place: Place | 'nothing';
  /** Who serves at the beginning; the direction is away from it. */
  readonly active: 'pink' | 'purple';
  readonly record: RecordKind;
  /** What is run first, where it is not what the pipeline would run. */
  readonly first?: Command;
  /** What is otherwise in the configuration or in the world. */
  readonly variant?: Variant;
}

export type RecordKind =
  /** The CI ended the last job; the same pipeline goes on. */
  | 'fresh'
  /** The last job was killed a moment ago and its lock is there; its job is run again. */
  | 'resumed'
  /** The same, and a new pipeline takes over. */
  | 'adopted'
  /** A person has turned the status around by hand. */
  | 'edited';

export interface PlannedFault {
  /** Of which run of our program, from 0. */
  readonly run: number;
  /** At which of its calls, from 0. */
  readonly call: number;
  readonly mode: FaultMode;
}

export interface Scenario extends Beginning {
  readonly faults: readonly PlannedFault[];
}

export const recordKinds: readonly RecordKind[] = ['fresh', 'resumed', 'adopted', 'edited'];
export const actives = ['pink', 'purple'] as const;

/** e.g. `promoting/pink/adopted 0:17:crash_after`; `rollback@promoted/pink/fresh`; `prepared/pink/fresh/project`. */
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
