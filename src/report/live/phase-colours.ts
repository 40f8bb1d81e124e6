import { allPhases, isBefore, type Phase } from '../../domain/deployment/stages-and-steps.ts';
import type { DrawnState } from '../drawing/picture.ts';
import { shardStates } from '../drawing/shard-states.ts';
import { stateAt } from '../picture-of-run.ts';

/** Phase in the row of a shard, with the state that gives its colour. */
export interface PhaseInRow {
  readonly from: number;
  readonly phase: string;
  readonly state: DrawnState;
}

const lanePhase = new RegExp(`^ {2}\\S.*?(?: {2}|· )(${allPhases.join('|')})(?= |$)`);

/** Finds the phase in a row of the live picture. Undefined for other rows and without a state. */
export function findPhase(row: string): PhaseInRow | undefined {
  const found = lanePhase.exec(row);
  if (found === null) return undefined;
  const phase = found[1] as Phase;
  const isRetiring = phase !== 'retreating' && !isBefore(phase, 'draining');
  const state = stateAt(phase, isRetiring ? 'retiring' : 'candidate');
  return state === undefined ? undefined : { from: found[0].length - phase.length, phase, state };
}

/** Colours the phase in a row like the state in the timeline. The row keeps its width. */
export function paintPhase(row: string, { color }: { readonly color: boolean }): string {
  const found = color ? findPhase(row) : undefined;
  if (found === undefined) return row;
  const { from, phase, state } = found;
  const { fill, ink } = shardStates[state].terminal;
  const painted = `\x1b[48;5;${fill}m\x1b[38;5;${ink}m${phase}\x1b[39m\x1b[49m`;
  return row.slice(0, from) + painted + row.slice(from + phase.length);
}
