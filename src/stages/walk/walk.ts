import { costOf, describeCost } from '../../domain/deployment/cost.ts';
import { type DeploymentRecord, withPhase } from '../../domain/deployment/record.ts';
import {
  type OrderedPlan,
  type PlanOptions,
  planStage,
} from '../../domain/deployment/stage-plan.ts';
import {
  type StageName,
  type StepName,
  stepNamed,
  type steps,
} from '../../domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../domain/shard.ts';
import { outOfOrder } from '../../errors/state.ts';
import { apply } from '../candidate/apply.ts';
import { guard } from '../candidate/guard.ts';
import { onboard } from '../candidate/onboard.ts';
import { prepare } from '../candidate/prepare.ts';
import { drain } from '../drain/drain.ts';
import { healthcheck } from '../health/healthcheck.ts';
import { deregister } from '../removal/deregister.ts';
import { destroy } from '../removal/destroy.ts';
import { finish } from '../removal/finish.ts';
import { stop } from '../removal/stop.ts';
import { completeDeadHooks } from '../removal/terminated-hooks.ts';
import { openLeftClosed, refuseHeld } from '../service/left-closed.ts';
import { endingServed } from '../service/unfinished-run.ts';
import { promote } from '../switch/promote.ts';
import { refuseUnprovenRemoval, removeCandidate } from '../switch/retreat.ts';
import { type StageContext, timestamp } from './context.ts';
import { guarded } from './guarded.ts';
import { identify, judgeBystander } from './identify.ts';
import type { StageResult } from './result.ts';

type Step = (context: StageContext, shard: Shard) => Promise<void>;

const bodies: Readonly<Record<Exclude<StepName, 'prepare'>, Step>> = {
  onboard,
  guard,
  apply,
  healthcheck,
  promote,
  drain,
  stop,
  deregister,
  destroy,
  finish,
};

/** The one runner of stages: who are we, what is there to do, and then step by step. */
export async function runStage(
  context: StageContext,
  stage: StageName,
  options: PlanOptions = {},
): Promise<StageResult> {
  await refuseHeld(context, (record) => judgeBystander(context, record) === undefined);
  if (stage === 'prepare') return prepare(context);
  const identified = await identify(context, stage, () => openLeftClosed(context));
  if (identified.kind !== 'record') return nothingToDo(context, stage, identified);
  const plan = await planInOrder(context, identified.record, { stage, ...options });
  const { candidate } = identified.record.deployment;
  switch (plan.kind) {
    case 'nothing':
      return nothingToDo(context, stage, plan);
    case 'remove_candidate':
      await refuseUnprovenRemoval(context, candidate);
      await removeCandidate(context, candidate);
      return {
        kind: 'done',
        summary: [`the candidate ${candidate} is removed; provision builds it anew`],
      };
    case 'retreat':
      context.log.act(`Going on with the retreat: ${plan.reason}.`);
      await removeCandidate(context, candidate);
      return walk(context, plan.steps);
    case 'walk':
      return walk(context, plan.steps);
  }
}

async function planInOrder(
  context: StageContext,
  record: DeploymentRecord,
  { stage, ...options }: PlanOptions & { readonly stage: Exclude<StageName, 'prepare'> },
): Promise<OrderedPlan> {
  return guarded(context, 'order', () => {
    const plan = planStage(stage, record, options);
    if (plan.kind !== 'out_of_order') return plan;
    const { reason, next } = plan;
    throw outOfOrder({ runner: context.settings.runnerName, stage, reason, next });
  });
}

/** What died since the last deployment holds its group until somebody lets it go. */
async function nothingToDo(
  context: StageContext,
  stage: StageName,
  result: StageResult | { readonly kind: 'nothing'; readonly reason: string },
): Promise<StageResult> {
  const { journal, run, settings } = context;
  if (stage === 'finalize' && journal.version() > 0) {
    const { phase, pipelineCreatedAt } = journal.current().deployment;
    // An older pipeline has no effect.
    if (phase === 'done' && run.pipelineCreatedAt >= pipelineCreatedAt)
      for (const shard of settings.shards) await completeDeadHooks(context, shard);
  }
  return result;
}

async function walk(walker: StageContext, names: readonly StepName[]): Promise<StageResult> {
  const resumedIn = walker.journal.current().deployment.phase;
  const ofThisRun = { drainLooks: new Map(), watches: new Map() };
  const context: StageContext = { ...walker, resumedIn, ...ofThisRun };
  await endingServed(context, async () => {
    for (const name of names) if (name !== 'prepare') await walkStep(context, name);
  });
  const { deployment } = context.journal.current();
  const { id, candidate, retiring, phase, phaseAt } = deployment;
  const cost =
    phase === 'done' && retiring !== undefined ? describeCost(costOf(deployment, phaseAt)) : [];
  return {
    kind: 'done',
    summary: [`deployment ${id} of candidate ${candidate} is ${phase}`, ...cost],
  };
}

async function walkStep(context: StageContext, name: Exclude<StepName, 'prepare'>): Promise<void> {
  const { candidate, retiring, phase } = context.journal.current().deployment;
  context.log.event({ kind: 'step', step: name, phase });
  const step = stepNamed(name);
  if (step.touches !== 'retiring') return bodies[name](context, candidate);
  if (retiring !== undefined) return bodies[name](context, retiring);
  await skipRetirement(context, step);
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
