import { allPhases, type Phase } from '../src/domain/deployment/stages-and-steps.ts';
import type { ErrorCode } from '../src/domain/error-codes.ts';

/**
 * Place of a deployment: its phase, or `none` for a stack without a record. Draining is tested with
 * and without running jobs, and drained with and without a running bake.
 */
export type Place = 'none' | Phase | 'draining, idle' | 'drained, baking';

const besides: Readonly<Partial<Record<Phase, Place>>> = {
  draining: 'draining, idle',
  drained: 'drained, baking',
};

export const places: readonly Place[] = [
  'none',
  ...allPhases.flatMap<Place>((phase) => [phase, besides[phase] ?? []].flat()),
];

export interface Outcome {
  /** Kind of result, or the code of an error. */
  readonly ends: 'done' | 'nothing' | ErrorCode;
  readonly exitCode: 0 | 1 | 2 | 3 | 75 | 130;
  /** Phase in the record afterwards. */
  readonly phase: Phase | 'none';
  /**
   * Reason of the result, or first `why` of the error; … replaces text that differs between runs.
   */
  readonly text: string;
}

export type Row = Readonly<Record<Place, Outcome>>;

const walkedWords = 'deployment {id} (candidate {candidate}) is in phase {phase}';
const finishedWords = 'deployment {id} (candidate {candidate}) is finished';

export function done(phase: Phase, reason: string): Outcome {
  return { ends: 'done', exitCode: 0, phase, text: reason };
}

export function walked(phase: Phase): Outcome {
  return done(phase, phase === 'done' ? finishedWords : walkedWords);
}

/** Returns an outcome with a reason and an unchanged phase. */
export function nothing(reason: string): (place: Place) => Outcome {
  return (place) => ({ ends: 'nothing', exitCode: 0, phase: phaseOf(place), text: reason });
}

/** Returns an error with an unchanged phase. */
export function refused(
  ends: ErrorCode,
  exitCode: Outcome['exitCode'],
  reason: string,
): (place: Place) => Outcome {
  return (place) => ({ ends, exitCode, phase: phaseOf(place), text: reason });
}

export function phaseOf(place: Place): Outcome['phase'] {
  if (place === 'draining, idle') return 'draining';
  return place === 'drained, baking' ? 'drained' : place;
}

export type Fill = (place: Place) => Outcome;

/** Builds a row: listed places get their own outcome, all others get `rest`. */
export function row(
  rest: Fill,
  ...some: readonly (readonly [readonly Place[], Outcome | Fill])[]
): Row {
  const entries = places.map((place) => {
    const found = some.find(([named]) => named.includes(place))?.[1] ?? rest;
    return [place, typeof found === 'function' ? found(place) : found];
  });
  return Object.fromEntries(entries) as Row;
}
