import type { DeploymentRecord } from './record.ts';
import {
  isBefore,
  isPastQuarantine,
  nextStage,
  type StageName,
  type StepName,
  stepAt,
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
  | { readonly kind: 'nothing'; readonly reason: string };

export interface PlanOptions {
  readonly until?: 'healthy';
  /** A person has asked for it; a stage that comes too early removes nothing. */
  readonly removesCandidate?: boolean;
  /** A person has said that nothing serves: what was begun to be promoted may go, too. */
  readonly although?: boolean;
}

export function planStage(
  stage: Exclude<StageName, 'prepare'>,
  record: DeploymentRecord,
  { until, removesCandidate = false, although = false }: PlanOptions = {},
): StagePlan {
  const { phase, id } = record.deployment;
  if (phase === 'done') {
    return {
      kind: 'nothing',
      reason: `deployment ${id} is done; start a new pipeline to deploy again`,
    };
  }
  switch (stage) {
    case 'onboard':
      return planOnboardStage(record);
    case 'provision':
      return planProvision(record, until);
    case 'promote':
      return planPromote(record);
    default:
      return isBefore(phase, 'promoted')
        ? planTooEarly(record, { removesCandidate, although })
        : planRetirement(stage, record);
  }
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

function planProvision(record: DeploymentRecord, until?: 'healthy'): StagePlan {
  const { phase, candidate } = record.deployment;
  const all = stepsOf('provision').filter((step) => until === undefined || step !== 'promote');
  if (phase === 'retreating') {
    return {
      kind: 'retreat',
      steps: all,
      reason: `the retreat of ${candidate} was begun and is finished first`,
    };
  }
  if (phase === 'promoting') {
    if (until !== undefined)
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
  { removesCandidate, although }: { removesCandidate: boolean; although: boolean },
): StagePlan {
  const reason = `${candidate} is not promoted, the deployment is ${phase}; ${retiring ?? 'nothing'} must go on serving`;
  if (!removesCandidate) return { kind: 'nothing', reason };
  if (phase === 'promoting' && !although)
    return { kind: 'out_of_order', reason, next: 'provision' };
  if (phase !== 'retreating') return { kind: 'remove_candidate', reason };
  return {
    kind: 'retreat',
    steps: [],
    reason: `the retreat of ${candidate} was begun and is finished`,
  };
}

function planRetirement(
  stage: StageName,
  { deployment: { phase, retiring } }: DeploymentRecord,
): StagePlan {
  const range = stepsOf(stage);
  if (!range.includes('drain') && isBefore(phase, 'drained')) {
    return {
      kind: 'out_of_order',
      reason: `${retiring ?? 'the retiring shard'} is not drained, the deployment is ${phase}`,
      next: 'shutdown',
    };
  }
  if (phase === 'destroying' && !range.includes('deregister')) {
    return {
      kind: 'nothing',
      reason: `${retiring ?? 'the retiring shard'} is stopped and being destroyed; cleanup finishes that`,
    };
  }
  // A drain that is already over is proven again by the step itself, but never opened again.
  const from = phase === 'retreating' ? 0 : Math.max(0, range.indexOf(stepAt(phase)));
  return { kind: 'walk', steps: range.slice(from), reason: `the deployment is ${phase}` };
}
