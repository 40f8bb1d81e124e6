import {
  type Deployment,
  type DeploymentRecord,
  untouchedShard,
} from '../../src/domain/deployment/record.ts';
import { planStage } from '../../src/domain/deployment/stage-plan.ts';
import type { Phase, StageName, StepName } from '../../src/domain/deployment/stages-and-steps.ts';
import type { DeploymentId, Shard } from '../../src/domain/shard.ts';
import { type Effect, effectsOf, removal } from './effects.ts';
import type { ProtocolState } from './state.ts';

/** One effect of a run, and where the world stands after it: each is a place to die at. */
export interface Stride {
  readonly from: ProtocolState;
  readonly to: ProtocolState;
  readonly effect: Effect;
}

export interface Run {
  readonly strides: readonly Stride[];
  /** Where the run comes to by itself; `ended` early where it has to wait or the shard is unhealthy. */
  readonly to: ProtocolState;
  readonly how: 'done' | 'nothing' | 'out of order' | 'waits' | 'unhealthy';
}

/** Every way in which a stage of the record's own pipeline can go, by the plan that the code makes. */
export function runsOf(state: ProtocolState, stage: Exclude<StageName, 'prepare'>): readonly Run[] {
  return [...runsBy(state, stage, {}), ...runsBy(state, stage, baking)];
}

/** Where a bake was configured when the candidate was promoted. */
const baking: Pick<Deployment, 'bake'> = {
  bake: { since: '2026-01-01T00:00:00Z', forMs: 0, until: '2026-01-01T00:00:00Z' },
};

function runsBy(
  state: ProtocolState,
  stage: Exclude<StageName, 'prepare'>,
  bake: Pick<Deployment, 'bake'>,
): readonly Run[] {
  if (state.phase === 'none')
    return [still(state, stage === 'finalize' ? 'nothing' : 'out of order')];
  const plan = planStage(stage, recordOf(state.phase, bake));
  switch (plan.kind) {
    case 'finished':
    case 'nothing':
      return [still(state, 'nothing')];
    case 'out_of_order':
      return [still(state, 'out of order')];
    case 'remove_candidate':
      return follow(still(state, 'done'), removal);
    case 'retreat':
      return plan.steps.reduce<readonly Run[]>(
        (runs, step) => runs.flatMap((run) => goOn(run, step)),
        follow(still(state, 'done'), removal),
      );
    case 'walk':
      return plan.steps.reduce<readonly Run[]>(
        (runs, step) => runs.flatMap((run) => goOn(run, step)),
        [still(state, 'done')],
      );
  }
}

function goOn(run: Run, step: StepName): readonly Run[] {
  if (run.how !== 'done' || step === 'prepare') return [run];
  return follow(run, effectsOf(step, run.to));
}

/** Effect after effect; a verdict splits the ways. */
function follow(run: Run, effects: readonly Effect[]): readonly Run[] {
  const [effect, ...rest] = effects;
  if (effect === undefined || run.how !== 'done') return [run];
  if (effect.kind === 'verdict') {
    const unhealthy = follow(run, effect.unhealthy).map((one) => failed(one));
    const { built, process } = run.to.candidate;
    const canBeProven = built === 'yes' && process === 'runs';
    return canBeProven ? [...unhealthy, ...follow(run, rest)] : unhealthy;
  }
  if (effect.kind === 'wait')
    return effect.until(run.to) ? follow(run, rest) : [{ ...run, how: 'waits' }];
  const stride = { from: run.to, to: after(run.to, effect), effect };
  return follow({ ...run, strides: [...run.strides, stride], to: stride.to }, rest);
}

/** Evidence that is bad takes a deployment that was healthy back to applied. */
function failed(run: Run): Run {
  if (run.how !== 'done') return run;
  if (run.to.phase !== 'healthy') return { ...run, how: 'unhealthy' };
  const effect: Effect = { kind: 'write', phase: 'applied' };
  const to = after(run.to, effect);
  return { strides: [...run.strides, { from: run.to, to, effect }], to, how: 'unhealthy' };
}

function after(state: ProtocolState, effect: Effect): ProtocolState {
  switch (effect.kind) {
    case 'write':
      return { ...state, phase: effect.phase };
    case 'switch':
      return { ...state, status: 'candidate', switched: true };
    case 'shard':
      return { ...state, [effect.role]: { ...state[effect.role], ...effect.change } };
    case 'wait':
    case 'verdict':
      return state;
  }
}

function still(state: ProtocolState, how: Run['how']): Run {
  return { strides: [], to: state, how };
}

const candidate = 'candidate' as Shard;

/** As much of a record as a plan looks at. */
function recordOf(phase: Phase, bake: Pick<Deployment, 'bake'>): DeploymentRecord {
  const at = '2026-01-01T00:00:00Z';
  return {
    deployment: {
      id: 'model' as DeploymentId,
      kind: 'deploy',
      pipelineCreatedAt: at,
      by: 'model',
      candidate,
      retiring: 'retiring' as Shard,
      phase,
      phaseAt: at,
      startedAt: at,
      ...bake,
    },
    shards: { [candidate]: untouchedShard },
    history: [],
  };
}
