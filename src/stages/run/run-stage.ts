import { costOf, describeCost } from '../../domain/deployment/cost.ts';
import { type DeploymentRecord, withPhase } from '../../domain/deployment/record.ts';
import {
  type OrderedPlan,
  planStage,
  type StagePlanOptions,
} from '../../domain/deployment/stage-plan.ts';
import {
  isBefore,
  type StageName,
  type StepName,
  stepNamed,
  type steps,
} from '../../domain/deployment/stages-and-steps.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { outOfOrder } from '../../errors/state-errors.ts';
import { type StageContext, timestamp } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { alreadyDone, LetGo, type StageResult } from '../context/result.ts';
import { identify, judgeBystander } from '../effects/identify.ts';
import { atOneMoment } from '../record/parameter-snapshot.ts';
import {
  findShardToReopen,
  reopenAbandoned,
  requireNoHoldAfterReopen,
} from '../service/drain-abandonment.ts';
import { GoBack } from '../service/rollback-decision.ts';
import { bake } from '../steps/bake/bake.ts';
import { apply } from '../steps/candidate/apply.ts';
import { noteApproval } from '../steps/candidate/approval.ts';
import { guard } from '../steps/candidate/guard.ts';
import { healthcheck } from '../steps/candidate/healthcheck.ts';
import { onboard } from '../steps/candidate/onboard.ts';
import { prepare } from '../steps/candidate/prepare.ts';
import { drain } from '../steps/drain/drain.ts';
import { retryLaterOnOutage } from '../steps/drain/tolerate-outage.ts';
import { completeDeadHooks } from '../steps/removal/dead-hooks.ts';
import { deregister } from '../steps/removal/deregister.ts';
import { destroy } from '../steps/removal/destroy.ts';
import { finish } from '../steps/removal/finish.ts';
import { removeCandidate, requireProvenRemoval } from '../steps/removal/retreat.ts';
import { stop } from '../steps/removal/stop.ts';
import { promote } from '../steps/switch/promote.ts';
import { failIfRolledBack } from '../steps/switch/rollback-error.ts';
import { rollBackAutomatically } from './auto-rollback.ts';
import { failIfNoShardServes } from './no-shard-serves.ts';
import { withReopenOnFailure } from './reopen-on-failure.ts';

type Step = (context: StageContext, shard: Shard) => Promise<unknown>;

const bodies: Readonly<Record<Exclude<StepName, 'prepare'>, Step>> = {
  onboard,
  guard,
  apply,
  healthcheck,
  promote,
  drain: (context, retiring) => retryLaterOnOutage(context, () => drain(context, retiring)),
  bake: (context, retiring) => retryLaterOnOutage(context, () => bake(context, retiring)),
  stop,
  deregister: (context, old) => retryLaterOnOutage(context, () => deregister(context, old)),
  destroy,
  finish,
};

/**
 * The one runner of stages: who are we, what is there to do, and then step by step. Whose deployment
 * its bake took back does all that is left of it, and never ends well.
 */
export async function runStage(
  context: StageContext,
  stage: StageName,
  options: StagePlanOptions = {},
): Promise<StageResult> {
  const result = await runOnce(context, stage, options);
  failIfRolledBack(context);
  return result;
}

async function runOnce(
  context: StageContext,
  stage: StageName,
  options: StagePlanOptions,
): Promise<StageResult> {
  const { hold, record, status } = context.names;
  const of = stage === 'prepare' ? [hold, record] : [hold, record, status];
  const now = await atOneMoment(context, of);
  await requireNoHoldAfterReopen(now, (record) => judgeBystander(context, record) === undefined);
  if (stage === 'prepare') return prepare(now);
  const reopen = () => reopenAbandoned(context, findShardToReopen(context));
  const identified = await identify(now, stage, reopen);
  if (identified.kind !== 'record') return nothingToDo(context, stage, identified);
  const plan = await planInOrder(context, identified.record, { stage, ...options });
  const { candidate } = identified.record.deployment;
  switch (plan.kind) {
    case 'finished':
    case 'nothing': {
      const nothing = await nothingToDo(context, stage, resultOf(context, plan));
      await failIfNoShardServes(context, stage);
      return nothing;
    }
    case 'remove_candidate':
      await requireProvenRemoval(context, candidate);
      await removeCandidate(context, candidate);
      return {
        kind: 'done',
        summary: [`the candidate ${candidate} is removed; provision builds it anew`],
      };
    case 'retreat':
      context.log.act(`Going on with the retreat: ${plan.reason}.`);
      await removeCandidate(context, candidate);
      return walk(context, plan.steps, { stage, ...options });
    case 'walk':
      return walk(context, plan.steps, { stage, ...options });
  }
}

export async function planInOrder(
  context: StageContext,
  record: DeploymentRecord,
  { stage, ...options }: StagePlanOptions & { readonly stage: Exclude<StageName, 'prepare'> },
): Promise<OrderedPlan> {
  return withGuardEvent(context, 'order', () => {
    const plan = planStage(stage, record, options);
    if (plan.kind !== 'out_of_order') return plan;
    const { reason, next } = plan;
    throw outOfOrder({ runner: context.settings.runnerName, stage, reason, next });
  });
}

/**
 * What died since the last deployment holds its group until somebody lets it go; and what was closed
 * before a promotion that is not proven yet serves nobody.
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
  walker: StageContext,
  names: readonly StepName[],
  ordered: StagePlanOptions & { readonly stage: Exclude<StageName, 'prepare'> },
): Promise<StageResult> {
  await noteApproval(walker, ordered);
  const resumedIn = walker.journal.current().deployment.phase;
  const ofThisRun = {
    drainLooks: new Map(),
    watches: new Map(),
    removed: new Set<RegistrationId>(),
    returned: new Set<Shard>(),
    warned: walker.warned ?? new Set<string>(),
  };
  const context: StageContext = { ...walker, resumedIn, ...ofThisRun };
  const how = await withReopenOnFailure(context, () => walkSteps(context, names));
  if (how === 'taken_back') return retireTakenBack(walker, ordered);
  if (how === 'watch') return letWatch(walker, ordered);
  const { deployment } = context.journal.current();
  const { id, candidate, retiring, phase, phaseAt } = deployment;
  const cost =
    phase === 'done' && retiring !== undefined ? describeCost(costOf(deployment, phaseAt)) : [];
  return {
    kind: 'done',
    summary: [`deployment ${id} of candidate ${candidate} is ${phase}`, ...cost],
  };
}

async function walkSteps(
  context: StageContext,
  names: readonly StepName[],
): Promise<'walked' | 'watch' | 'taken_back'> {
  try {
    for (const name of names)
      if (name !== 'prepare' && (await walkStep(context, name)) === 'watch') return 'watch';
    return 'walked';
  } catch (error) {
    if (!(error instanceof GoBack)) throw error;
    await rollBackAutomatically(context, error);
    return 'taken_back';
  }
}

/** The loser goes as the old shard would have gone. */
async function retireTakenBack(
  context: StageContext,
  ordered: StagePlanOptions & { readonly stage: Exclude<StageName, 'prepare'> },
): Promise<StageResult> {
  const plan = await planInOrder(context, context.journal.current(), ordered);
  if (plan.kind === 'walk') return walk(context, plan.steps, ordered);
  return resultOf(context, plan);
}

function resultOf(context: StageContext, { kind, reason }: OrderedPlan): StageResult {
  return kind === 'finished' ? alreadyDone(context, reason) : { kind: 'nothing', reason };
}

/** In a pipeline a job of its own watches; finalize waits for whatever is left. */
function letWatch(
  context: StageContext,
  { stage, ...options }: StagePlanOptions & { readonly stage: Exclude<StageName, 'prepare'> },
): StageResult {
  const { journal, run } = context;
  const { candidate, retiring, bake: note } = journal.current().deployment;
  if (stage !== 'shutdown' || run.ci === 'terminal')
    throw new LetGo((resumed) => runStage(resumed, stage, options));
  return {
    kind: 'done',
    summary: [
      `${retiring} is drained and stays alive until the bake of ${candidate} is over, at ${note?.until ?? 'its end'} at the latest`,
    ],
  };
}

async function walkStep(
  context: StageContext,
  name: Exclude<StepName, 'prepare'>,
): Promise<unknown> {
  const { candidate, retiring, phase } = context.journal.current().deployment;
  context.log.event({ kind: 'step', step: name, phase });
  const step = stepNamed(name);
  if (step.touches !== 'retiring') return bodies[name](context, candidate);
  if (retiring !== undefined) return bodies[name](context, retiring);
  return skipRetirement(context, step);
}

/** A first deployment has nothing to retire; its record passes through the phases all the same. */
async function skipRetirement(
  context: StageContext,
  { name, writes }: (typeof steps)[number],
): Promise<void> {
  const { journal, log } = context;
  const phase = writes.at(-1);
  if (phase === undefined) return;
  log.act(`Skipped ${name}: this is the stack's first deployment, there is no shard to retire.`);
  await journal.write(withPhase(journal.current(), phase, timestamp(context)));
}
