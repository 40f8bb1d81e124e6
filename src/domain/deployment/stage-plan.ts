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

/** Work of a stage according to the record; the steps themselves read the actual state. */
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
  /** Option of `provision`. Default: the record's note of this deployment. */
  readonly until?: 'healthy' | 'promoted';
  /** Whether an operator requested it; a stage that is too early removes nothing. */
  readonly removesCandidate?: boolean;
  /**
   * Whether an operator declared that no shard accepts jobs: a begun promotion may be removed too.
   */
  readonly forceWhenNoneAccepts?: boolean;
}

export function planStage(
  stage: Exclude<StageName, 'prepare'>,
  record: DeploymentRecord,
  { until, removesCandidate = false, forceWhenNoneAccepts = false }: StagePlanOptions = {},
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
        : planTooEarly(record, { removesCandidate, forceWhenNoneAccepts });
  }
}

/**
 * Plans a begun rollback for any stage that finishes deployments. The previous shard stays paused
 * until its promotion, and the operator may have left. No operator started the rollback of a bake.
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
    reason: `the rollback to ${candidate} from ${retiring ?? 'nothing'} has started${autoRollback === undefined ? '' : ', by a bake'}`,
  };
}

function planOnboardStage({ deployment: { phase } }: DeploymentRecord): StagePlan {
  if (phase === 'retreating') {
    return {
      kind: 'nothing',
      reason: 'the retreat of the candidate has started; provision finishes it and onboards again',
    };
  }
  if (isPastQuarantine(phase)) {
    return {
      kind: 'nothing',
      reason: `the deployment is in phase ${phase}: its candidate has the production tags`,
    };
  }
  return { kind: 'walk', steps: ['onboard'], reason: `the deployment is in phase ${phase}` };
}

function planProvision(record: DeploymentRecord, until: StagePlanOptions['until']): StagePlan {
  const { phase, candidate, awaitsApproval } = record.deployment;
  // Recovery and a manual retry run provision without an option: neither replaces the approval.
  const stops = until === undefined ? awaitsApproval === true : until === 'healthy';
  const all = stepsOf('provision').filter((step) => !stops || step !== 'promote');
  if (phase === 'retreating') {
    return {
      kind: 'retreat',
      steps: all,
      reason: `the retreat of ${candidate} has started and is finished first`,
    };
  }
  if (phase === 'promoting') {
    if (until === 'healthy')
      return { kind: 'nothing', reason: 'the promotion has begun; promote finishes it' };
    return {
      kind: 'walk',
      steps: ['promote'],
      reason: `the promotion of ${candidate} has started`,
    };
  }
  if (isPastQuarantine(phase))
    return { kind: 'nothing', reason: `${candidate} is already promoted` };
  return { kind: 'walk', steps: all, reason: `the deployment is in phase ${phase}` };
}

function planPromote({ deployment: { phase, candidate } }: DeploymentRecord): StagePlan {
  if (nextStage(phase) === 'promote') {
    return { kind: 'walk', steps: ['promote'], reason: `${candidate} is ${phase}` };
  }
  if (isPastQuarantine(phase))
    return { kind: 'nothing', reason: `${candidate} is already promoted` };
  return {
    kind: 'out_of_order',
    reason: `${candidate} has not been found healthy; the deployment is in phase ${phase}`,
    next: 'provision',
  };
}

/**
 * Plans a stage after a failed provision, which a rule of the pipeline may start. It does nothing:
 * `provision` or an operator decides about the candidate.
 */
function planTooEarly(
  { deployment: { phase, candidate, retiring } }: DeploymentRecord,
  {
    removesCandidate,
    forceWhenNoneAccepts,
  }: { removesCandidate: boolean; forceWhenNoneAccepts: boolean },
): StagePlan {
  const requirement = retiring === undefined ? '' : `; ${retiring} must continue to accept jobs`;
  const reason = `${candidate} is not promoted; the deployment is in phase ${phase}${requirement}`;
  if (!removesCandidate) return { kind: 'nothing', reason };
  if (phase === 'promoting' && !forceWhenNoneAccepts)
    return { kind: 'out_of_order', reason, next: 'provision' };
  if (phase !== 'retreating') return { kind: 'remove_candidate', reason };
  return {
    kind: 'retreat',
    steps: [],
    reason: `the retreat of ${candidate} has started and is being finished`,
  };
}

function planRetirement(stage: StageName, { deployment }: DeploymentRecord): StagePlan {
  const { phase, retiring, candidate } = deployment;
  const bakes = isBaking(deployment);
  if (stage === 'bake' && !bakes) return planNoBake(deployment);
  if (beginsAfter(stage, 'drain') && isBefore(phase, 'drained')) {
    const reason = `${retiring ?? 'the retiring shard'} is not drained; the deployment is in phase ${phase}`;
    if (stage !== 'bake') return { kind: 'out_of_order', reason, next: 'shutdown' };
    // This run holds the lock, so no drain and no check of the bake is running.
    const watched = `the run that drains also checks ${candidate}`;
    return { kind: 'out_of_order', reason: `${reason}; ${watched}`, next: 'finalize' };
  }
  if (bakes && beginsAfter(stage, 'bake')) {
    return {
      kind: 'out_of_order',
      reason: `the bake of ${candidate} has not ended, and ${retiring ?? 'the retiring shard'} is the rollback target`,
      next: 'bake',
    };
  }
  const left = stepsLeft(stage, phase);
  if (left.length === 0) {
    return {
      kind: 'nothing',
      reason: `${retiring ?? 'the retiring shard'} is stopped and is being destroyed; cleanup finishes this`,
    };
  }
  // The step proves a finished drain again, but never reopens the shard. Without a configured bake,
  // its step is skipped.
  const steps = left.filter((step) => step !== 'bake' || bakes);
  return { kind: 'walk', steps, reason: `the deployment is in phase ${phase}` };
}

/** Plans nothing: a pipeline may have the job without a configured bake, and must not fail. */
function planNoBake({ candidate, bake }: DeploymentRecord['deployment']): StagePlan {
  const reason =
    bake === undefined
      ? 'no bake was configured when the deployment was promoted'
      : `the bake of ${candidate} has ended`;
  return { kind: 'nothing', reason };
}
