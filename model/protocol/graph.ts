import {
  isReturnable,
  type Phase,
  type StageName,
  stageNames,
} from '../../src/domain/deployment/stages-and-steps.ts';
import { cells } from '../cells.ts';
import { type Run, runsOf, type Stride } from './runs.ts';
import { beginning, keyOf, nothing, type ProtocolState, serves, turned } from './state.ts';

/** One thing that can happen: an effect of a run, or something that the world does. */
export interface Edge {
  readonly from: ProtocolState;
  readonly to: ProtocolState;
  /** The command, or who else. */
  readonly by: Command | 'customers';
  readonly stride?: Stride;
}

export type Command = StageName | 'rollback' | 'new pipeline';

export interface Graph {
  readonly states: readonly ProtocolState[];
  readonly edges: readonly Edge[];
}

/** Every state that can be reached, whichever command is run when, wherever it dies. */
export function exploreProtocol(): Graph {
  const states = new Map([[keyOf(beginning), beginning]]);
  const edges: Edge[] = [];
  for (const state of states.values()) {
    for (const edge of edgesFrom(state)) {
      edges.push(edge);
      const key = keyOf(edge.to);
      if (!states.has(key)) states.set(key, edge.to);
    }
  }
  return { states: [...states.values()], edges };
}

function edgesFrom(state: ProtocolState): readonly Edge[] {
  const names = stageNames;
  return [
    ...names.flatMap((stage) => runs(state, stage).flatMap((run) => edgesOf(run, stage))),
    ...newPipeline(state),
    ...rollback(state),
    ...customers(state),
  ];
}

export function runs(state: ProtocolState, stage: StageName): readonly Run[] {
  if (stage !== 'prepare') return runsOf(state, stage);
  return state.phase === 'none' ? [oneStride(state, { ...state, phase: 'prepared' })] : [];
}

function oneStride(from: ProtocolState, to: ProtocolState): Run {
  const effect = { kind: 'write', phase: to.phase as Phase } as const;
  return { strides: [{ from, to, effect }], to, how: 'done' };
}

/** Each stride from where it begins: who dies in between leaves the state before it. */
function edgesOf({ strides }: Run, by: Command): readonly Edge[] {
  return strides.map((stride) => ({ from: stride.from, to: stride.to, by, stride }));
}

/** By the cells: a finished deployment is followed by the reverse one, another is adopted or awaited. */
function newPipeline(state: ProtocolState): readonly Edge[] {
  if (state.phase === 'none') return [];
  const { ends, phase } = cells['new id: owner over'][state.phase];
  if (ends !== 'done' || phase === 'none') return [];
  const to: ProtocolState =
    state.phase === 'done'
      ? { ...turned(state), candidate: nothing, phase }
      : { ...state, phase, switched: false };
  return edgesOf(oneStride(state, to), 'new pipeline');
}

/** A deployment of its own in the reverse direction, for as long as the old shard is there. */
function rollback(state: ProtocolState): readonly Edge[] {
  const { phase, retiring } = state;
  if (phase === 'none' || !isReturnable(phase)) return [];
  if (retiring.built !== 'yes') return [];
  return edgesOf(oneStride(state, { ...state, ...turned(state), phase: 'promoting' }), 'rollback');
}

/** Jobs come to whoever serves, and end. */
function customers(state: ProtocolState): readonly Edge[] {
  return (['candidate', 'retiring'] as const).flatMap((role) => {
    const shard = state[role];
    const changes = [
      ...(serves(shard) && shard.jobs === 'none' ? (['some'] as const) : []),
      ...(shard.jobs === 'some' ? (['none'] as const) : []),
    ];
    return changes.map((jobs) => ({
      from: state,
      to: { ...state, [role]: { ...shard, jobs } },
      by: 'customers' as const,
    }));
  });
}
