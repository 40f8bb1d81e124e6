import { costOf, describeCost } from '../../domain/deployment/cost.ts';
import { describeProgress } from '../../domain/deployment/situation-text.ts';
import type { OrderedPlan, StagePlanOptions } from '../../domain/deployment/stage-plan.ts';
import {
  isBefore,
  type StageName,
  type StepName,
} from '../../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../context/context.ts';
import {
  alreadyDone,
  type RunResult,
  type StageResult,
  type StepResult,
} from '../context/result.ts';
import { reopenAbandoned } from '../service/drain-abandonment.ts';
import { noteApproval } from '../steps/candidate/approval.ts';
import { prepare } from '../steps/candidate/prepare.ts';
import { completeDeadHooks } from '../steps/removal/dead-hooks.ts';
import { removeCandidate, requireProvenRemoval } from '../steps/removal/retreat.ts';
import { failIfRolledBack } from '../steps/switch/rollback-error.ts';
import { requireAcceptingShard } from './no-accepting-shard.ts';
import { withReopenOnFailure } from './reopen-on-failure.ts';
import { rollBackAutomatically } from './rollback-or-activation.ts';
import { runStep } from './run-step.ts';
import { judgeStage, type LaterStage, planInOrder } from './stage-refusals.ts';

export interface RunOptions extends StagePlanOptions {
  /** Reason of an operator for deploying again what may have been rolled back. */
  readonly againBecause?: string | undefined;
}

type Ordered = StagePlanOptions & { readonly stage: LaterStage };

/**
 * Runs a stage: checks the run's deployment, plans, and walks the steps. If the bake rolled the
 * deployment back, the run does the remaining work and then fails.
 */
export async function runStage(
  context: StageContext,
  stage: StageName,
  options: RunOptions = {},
): Promise<RunResult> {
  const result = await runOnce(context, stage, options);
  if (result.kind !== 'release_lock') failIfRolledBack(context);
  return result;
}

async function runOnce(
  context: StageContext,
  stage: StageName,
  { againBecause, ...options }: RunOptions,
): Promise<RunResult> {
  context.memory.resumedIn = undefined;
  const verdict = await judgeStage(context, { stage, ...options }, { isLocked: true });
  if (verdict.kind === 'nothing') return nothingToDo(context, stage, verdict);
  if (stage === 'prepare' || verdict.kind === 'prepare') return prepare(context, againBecause);
  const { plan } = verdict;
  const { candidate } = context.journal.current().deployment;
  switch (plan.kind) {
    case 'finished':
    case 'nothing': {
      const nothing = await nothingToDo(context, stage, resultOf(context, plan));
      await requireAcceptingShard(context, stage);
      return nothing;
    }
    case 'remove_candidate':
      await requireProvenRemoval(context, candidate);
      await removeCandidate(context, candidate);
      return {
        kind: 'done',
        summary: [`the candidate ${candidate} is removed; provision builds it again`],
      };
    case 'retreat':
      context.log.act(`Resuming the retreat: ${plan.reason}.`);
      await removeCandidate(context, candidate);
      return walk(context, plan.steps, { stage, ...options });
    case 'walk':
      return walk(context, plan.steps, { stage, ...options });
  }
}

/**
 * Handles a run without steps. It reopens a shard that was paused before an unverified promotion.
 * `finalize` also completes the lifecycle hooks of instances that ended after the last deployment.
 */
async function nothingToDo(
  context: StageContext,
  stage: StageName,
  result: StageResult,
): Promise<StageResult> {
  const { journal, run, settings } = context;
  if (isPromotionPending(context)) await reopenAbandoned(context);
  if (stage === 'finalize' && journal.version() > 0) {
    const { phase, pipelineCreatedAt } = journal.current().deployment;
    // An older pipeline has no effect.
    if (phase === 'done' && run.pipelineCreatedAt >= pipelineCreatedAt)
      for (const shard of settings.shards) await completeDeadHooks(context, shard);
  }
  return result;
}

function isPromotionPending({ journal }: StageContext): boolean {
  return journal.version() > 0 && isBefore(journal.current().deployment.phase, 'promoted');
}

async function walk(
  context: StageContext,
  names: readonly StepName[],
  ordered: Ordered,
): Promise<RunResult> {
  await noteApproval(context, ordered);
  const { memory, journal } = context;
  memory.resumedIn = journal.current().deployment.phase;
  // Observations under another lock, or of another shard, prove nothing.
  for (const seen of [memory.watches, memory.drainChecks, memory.removed, memory.returned])
    seen.clear();
  const ended = await withReopenOnFailure(context, () => walkSteps(context, names));
  if (ended.kind === 'rollback') return retireRolledBack(context, ordered);
  if (ended.kind === 'release_lock') return letWatch(context, ended.reason, ordered);
  const { deployment } = journal.current();
  const { id, candidate, retiring, phase, phaseAt } = deployment;
  const cost =
    phase === 'done' && retiring !== undefined ? describeCost(costOf(deployment, phaseAt)) : [];
  return {
    kind: 'done',
    summary: [describeProgress({ id, candidate, phase }), ...cost],
  };
}

async function walkSteps(context: StageContext, names: readonly StepName[]): Promise<StepResult> {
  for (const name of names) {
    if (name === 'prepare') continue;
    const result = await runStep(context, name);
    if (result.kind === 'retry_later') throw result.error;
    if (result.kind === 'nothing') context.log.act(`Skipped ${name}: ${result.reason}.`);
    if (result.kind === 'rollback') await rollBackAutomatically(context, result);
    if (result.kind === 'rollback' || result.kind === 'release_lock') return result;
  }
  return { kind: 'done' };
}

/** Retires the rolled-back candidate with the steps that the old shard would have had. */
async function retireRolledBack(context: StageContext, ordered: Ordered): Promise<RunResult> {
  const plan = await planInOrder(context, context.journal.current(), ordered);
  if (plan.kind === 'walk') return walk(context, plan.steps, ordered);
  return resultOf(context, plan);
}

function resultOf(context: StageContext, { kind, reason }: OrderedPlan): StageResult {
  return kind === 'finished' ? alreadyDone(context, reason) : { kind: 'nothing', reason };
}

/** Releases the lock during the bake, which another job polls. `finalize` waits for the rest. */
function letWatch(
  context: StageContext,
  reason: string,
  { stage, ...options }: Ordered,
): RunResult {
  const { journal, run } = context;
  const { candidate, retiring, bake: note } = journal.current().deployment;
  if (stage !== 'shutdown' || run.ci === 'terminal')
    return {
      kind: 'release_lock',
      reason,
      resume: (resumed) => runStage(resumed, stage, options),
    };
  return {
    kind: 'done',
    summary: [
      `${retiring} is drained and stays alive until the bake of ${candidate} ends, at ${note?.until ?? 'its end'} at the latest`,
    ],
  };
}
