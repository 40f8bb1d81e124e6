import { allPhases, type Phase } from '../src/domain/deployment/stages-and-steps.ts';
import type { ErrorCode } from '../src/domain/error-codes.ts';

/**
 * `none`: the stack exists and has no record. Draining is looked at with and without running jobs, and
 * what is drained with and without a bake that goes on.
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
  /** A result's kind, or an error's code. */
  readonly ends: 'done' | 'nothing' | ErrorCode;
  readonly exitCode: 0 | 1 | 2 | 3 | 75 | 130;
  /** What the record says afterwards. */
  readonly phase: Phase | 'none';
  /** The result's reason or the error's first `why`; … stands for what differs from run to run. */
  readonly says: string;
}

export type Row = Readonly<Record<Place, Outcome>>;

const walkedWords = 'deployment {id} of candidate {candidate} is {phase}';

export function done(phase: Phase, says: string): Outcome {
  return { ends: 'done', exitCode: 0, phase, says };
}

export function walked(phase: Phase): Outcome {
  return done(phase, walkedWords);
}

/** Ends with a reason where it was. */
export function nothing(says: string): (place: Place) => Outcome {
  return (place) => ({ ends: 'nothing', exitCode: 0, phase: phaseOf(place), says });
}

/** Ends in an error where it was. */
export function refused(
  ends: ErrorCode,
  exitCode: Outcome['exitCode'],
  says: string,
): (place: Place) => Outcome {
  return (place) => ({ ends, exitCode, phase: phaseOf(place), says });
}

export function phaseOf(place: Place): Outcome['phase'] {
  if (place === 'draining, idle') return 'draining';
  return place === 'drained, baking' ? 'drained' : place;
}

export type Fill = (place: Place) => Outcome;

/** The places that a list names get theirs, the others what `rest` says. */
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
