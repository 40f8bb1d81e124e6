import { isBaking } from '../bake/bake-note.ts';
import type { DeploymentRecord } from './record.ts';
import {
  beginsAfter,
  isBefore,
  isPastQuarantine,
  nextStage,
  type StageName,
  type StepName,
  stepsLeft,
  stepsOf,
} from './stages-and-steps.ts';

/** What a stage has to do, given where the record stands; the steps still ask the world themselves. */
export type StagePlan =
  | OrderedPlan
  | { readonly kind: 'out_of_order'; readonly reason: string; readonly next: StageName };

export type OrderedPlan =
  | { readonly kind: 'walk'; readonly steps: readonly StepName[]; readonly reason: string }
  /** Candidate cleanup before anything else: a retreat that was begun, or rule 6. */
  | { readonly kind: 'retreat'; readonly steps: readonly StepName[]; readonly reason: string }
  | { readonly kind: 'remove_candidate'; readonly reason: string }
  /** The deployment is done. */
  | { readonly kind: 'finished'; readonly reason: string }
  | { readonly kind: 'nothing'; readonly reason: string };

export interface StagePlanOptions {
  /** Of provision. Absent: what the record notes of this deployment. */
  readonly until?: 'healthy' | 'promoted';
  /** A person has asked for it; a stage that comes too early removes nothing. */
  readonly removesCandidate?: boolean;
  /** A person has said that nothing serves: what was begun to be promoted may go, too. */
  readonly forceWhenNothingServes?: boolean;
}

export function planStage(
  stage: Exclude<StageName, 'prepare'>,
  record: DeploymentRecord,
  { until, removesCandidate = false, forceWhenNothingServes = false }: StagePlanOptions = {},
): StagePlan {
  const { phase, id, kind } = record.deployment;
  if (phase === 'done') {
    return { kind: 'finished', reason: `deployment ${id} is done` };
  }
  switch (stage) {
    case 'onboard':
      return planOnboardStage(record);
    case 'provision':
      return planProvision(record, until);
    case 'promote':
      return planPromote(record);
    default:
      if (!isBefore(phase, 'promoted')) return planRetirement(stage, record);
      return kind === 'rollback' && phase === 'promoting' && !removesCandidate
        ? planRollback(stage, record)
        : planTooEarly(record, { removesCandidate, forceWhenNothingServes });
  }
}

/**
 * What was begun is theirs to finish who finish every deployment: the shard that a rollback goes back to is
 * closed until its promotion opens it, and whoever typed it may be gone. Nobody has typed what a bake begins.
 */
function planRollback(
  stage: StageName,
  { deployment: { candidate, retiring, autoRollback } }: DeploymentRecord,
): StagePlan {
  const range = stepsOf(stage);
  const retires = range.includes('drain') ? range.filter((step) => step !== 'bake') : [];
  return {
    kind: 'walk',
    steps: ['promote', ...retires],
    reason: `the way back to ${candidate} from ${retiring ?? 'nothing'} was begun${autoRollback === undefined ? '' : ' by a bake'}`,
  };
}

function planOnboardStage({ deployment: { phase } }: DeploymentRecord): StagePlan {
  if (phase === 'retreating') {
    return {
      kind: 'nothing',
      reason: 'the candidate is being taken back; provision finishes that and onboards again',
    };
  }
  if (isPastQuarantine(phase)) {
    return {
      kind: 'nothing',
      reason: `the deployment is ${phase}: its candidate has the production tags`,
    };
  }
  return { kind: 'walk', steps: ['onboard'], reason: `the deployment is ${phase}` };
}

function planProvision(record: DeploymentRecord, until: StagePlanOptions['until']): StagePlan {
  const { phase, candidate, awaitsApproval } = record.deployment;
  // Recovery and a retry by hand run provision without an option: neither replaces the approval.
  const stops = until === undefined ? awaitsApproval === true : until === 'healthy';
  const all = stepsOf('provision').filter((step) => !stops || step !== 'promote');
  if (phase === 'retreating') {
    return {
      kind: 'retreat',
      steps: all,
      reason: `the retreat of ${candidate} was begun and is finished first`,
    };
  }
  if (phase === 'promoting') {
    if (until === 'healthy')
      return { kind: 'nothing', reason: 'the promotion has begun; promote finishes it' };
    return { kind: 'walk', steps: ['promote'], reason: `the promotion of ${candidate} was begun` };
  }
  if (isPastQuarantine(phase))
    return { kind: 'nothing', reason: `${candidate} is promoted already` };
  return { kind: 'walk', steps: all, reason: `the deployment is ${phase}` };
}

function planPromote({ deployment: { phase, candidate } }: DeploymentRecord): StagePlan {
  if (nextStage(phase) === 'promote') {
    return { kind: 'walk', steps: ['promote'], reason: `${candidate} is ${phase}` };
  }
  if (isPastQuarantine(phase))
    return { kind: 'nothing', reason: `${candidate} is promoted already` };
  return {
    kind: 'out_of_order',
    reason: `${candidate} is not proven healthy, the deployment is ${phase}`,
    next: 'provision',
  };
}

/**
 * A rule of the pipeline can start them after a provision that failed: they do nothing then, and
 * what becomes of the candidate is for provision, or for a person.
 */
function planTooEarly(
  { deployment: { phase, candidate, retiring } }: DeploymentRecord,
  {
    removesCandidate,
    forceWhenNothingServes,
  }: { removesCandidate: boolean; forceWhenNothingServes: boolean },
): StagePlan {
  const goesOn = retiring === undefined ? '' : `; ${retiring} must go on serving`;
  const reason = `${candidate} is not promoted, the deployment is ${phase}${goesOn}`;
  if (!removesCandidate) return { kind: 'nothing', reason };
  if (phase === 'promoting' && !forceWhenNothingServes)
    return { kind: 'out_of_order', reason, next: 'provision' };
  if (phase !== 'retreating') return { kind: 'remove_candidate', reason };
  return {
    kind: 'retreat',
    steps: [],
    reason: `the retreat of ${candidate} was begun and is finished`,
  };
}

function planRetirement(stage: StageName, { deployment }: DeploymentRecord): StagePlan {
  const { phase, retiring, candidate } = deployment;
  const bakes = isBaking(deployment);
  if (stage === 'bake' && !bakes) return planNoBake(deployment);
  if (beginsAfter(stage, 'drain') && isBefore(phase, 'drained')) {
    const reason = `${retiring ?? 'the retiring shard'} is not drained, the deployment is ${phase}`;
    if (stage !== 'bake') return { kind: 'out_of_order', reason, next: 'shutdown' };
    // Who asks this has the lock, so that nobody drains, and nobody watches.
    const watched = `${candidate} is watched by whoever drains it`;
    return { kind: 'out_of_order', reason: `${reason}; ${watched}`, next: 'finalize' };
  }
  if (bakes && beginsAfter(stage, 'bake')) {
    return {
      kind: 'out_of_order',
      reason: `the bake of ${candidate} is not over, and ${retiring ?? 'the retiring shard'} is the way back`,
      next: 'bake',
    };
  }
  const left = stepsLeft(stage, phase);
  if (left.length === 0) {
    return {
      kind: 'nothing',
      reason: `${retiring ?? 'the retiring shard'} is stopped and being destroyed; cleanup finishes that`,
    };
  }
  // A drain that is already over is proven again by the step itself, but never opened again.
  // Where no bake was configured there is no step of it.
  const steps = left.filter((step) => step !== 'bake' || bakes);
  return { kind: 'walk', steps, reason: `the deployment is ${phase}` };
}

/** A pipeline may have the job where none is configured, and must not be red for it. */
function planNoBake({ candidate, bake }: DeploymentRecord['deployment']): StagePlan {
  const reason =
    bake === undefined
      ? 'no bake was configured when the deployment was promoted'
      : `the bake of ${candidate} is over`;
  return { kind: 'nothing', reason };
}
