import { contradictionWithStatus, describeRunning } from '../../domain/deployment/direction.ts';
import { type DeploymentRecord, showsOurSwitch } from '../../domain/deployment/record.ts';
import { bringsUp, isBefore, type StageName } from '../../domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../domain/shard.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { busyElsewhere, notPrepared, superseded } from '../../errors/state-errors.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { hasStalled, type StageContext } from '../context/context.ts';
import { findApproval, judgeRun, readOwner } from '../context/deployment-owner.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { alreadyDone, type NothingToDo, nothingStarted } from '../context/result.ts';
import { readStatusOnce } from '../observe/observe.ts';
import { observeShards, warnOfContradiction } from '../observe/shard/shard-view.ts';
import type { ParameterSnapshot } from '../record/parameter-snapshot.ts';

const contradictionChecks = 4;
const newRecordChecks = 2;
const contradictionPauseMs = 1500;

/** Returns the deployment that the record lets this run work on, or a result with the reason. */
export async function judgeRecord(
  context: StageContext,
  stage: Exclude<StageName, 'prepare'>,
  record: DeploymentRecord | undefined,
): Promise<{ kind: 'record'; record: DeploymentRecord } | NothingToDo> {
  if (record === undefined) {
    if (stage === 'finalize') return nothingStarted(context);
    throw notPrepared({ ...describeRun(context, stage), reason: 'there is no record' });
  }
  const refused = await withGuardEvent(context, 'owner', () =>
    // Only the pipeline that prepared the deployment may bring up its candidate.
    bringsUp(stage) ? judgeOwner(context, record, stage) : judgeUninvolvedPipeline(context, record),
  );
  return refused ?? { kind: 'record', record };
}

async function judgeOwner(
  context: StageContext,
  record: DeploymentRecord,
  stage: StageName,
): Promise<NothingToDo | undefined> {
  const runner = context.settings.runnerName;
  const { id, phase } = record.deployment;
  const own = judgeRun(context, record);
  if (own?.kind === 'resume') {
    return context.run.ci === 'terminal' ? judgeTerminal(context, record) : undefined;
  }
  if (own?.kind === 'finished') return alreadyDone(context, own.reason);
  if (context.run.ci === 'terminal' && phase !== 'done') return judgeTerminal(context, record);
  if (own?.kind === 'superseded') throw superseded({ runner, stage, reason: own.reason });
  if (context.run.ci === 'terminal') return alreadyDone(context, `deployment ${id} is done`);
  throw notPrepared({
    ...describeRun(context, stage),
    reason: `the record names deployment ${id}, and only prepare starts ${context.run.deploymentId}`,
  });
}

/** Describes the refused run for an error about a missing deployment. */
function describeRun({ settings, run }: StageContext, stage: string) {
  return { runner: settings.runnerName, stage, isTyped: run.ci === 'terminal' };
}

/** Lets an operator at a terminal continue the deployment, unless its pipeline is still running. */
async function judgeTerminal(context: StageContext, record: DeploymentRecord): Promise<undefined> {
  const owner = await readOwner(context, record);
  if (owner.kind === 'over') {
    const { hasBegun, lockedAt } = context.memory;
    // Before the lock is taken, the run may still be refused.
    if (!hasBegun && lockedAt !== undefined)
      context.log.act(`Resuming deployment ${record.deployment.id}: ${owner.reason}.`);
    return undefined;
  }
  throw busyWith(context, record, {
    reason: describeRunning(`the pipeline of deployment ${record.deployment.id}`, owner),
    isUnknown: owner.kind === 'unknown',
  });
}

/** Creates the error of a run that waits for the pipeline of the recorded deployment. */
export function busyWith(
  context: StageContext,
  record: DeploymentRecord | undefined,
  { reason, isUnknown = false }: { readonly reason: string; readonly isUnknown?: boolean },
): DeployError {
  return busyElsewhere({
    runner: context.settings.runnerName,
    again: context.typed.command,
    retires: record !== undefined && !isBefore(record.deployment.phase, 'promoted'),
    isOld: isUnknown && hasStalled(context),
    approval: findApproval(record),
    reason,
  });
}

/**
 * Decides for shutdown, cleanup and finalize, which finish the recorded deployment. A pipeline
 * older than that deployment has no effect.
 */
export function judgeUninvolvedPipeline(
  context: StageContext,
  record: DeploymentRecord,
): NothingToDo | undefined {
  const own = judgeRun(context, record);
  if (context.run.ci === 'terminal') return undefined;
  if (own?.kind !== 'finished' && own?.kind !== 'superseded') return undefined;
  const { id, phase, pipelineCreatedAt } = record.deployment;
  if (phase === 'done' && own.kind === 'finished') return alreadyDone(context, own.reason);
  // A rollback belongs to the pipeline whose deployment it reverses, which may finish it.
  const isOlder = Date.parse(context.run.pipelineCreatedAt) < Date.parse(pipelineCreatedAt);
  return isOlder || phase === 'done'
    ? {
        kind: 'nothing',
        reason: `deployment ${id} is newer, and an older pipeline changes nothing`,
      }
    : undefined;
}

export interface Compared {
  readonly found: { readonly reason: string } | undefined;
  /** Whether the read surely includes every write of this deployment to the status. */
  readonly isNew?: boolean;
}

/**
 * Repeats the comparison until a contradiction has lasted, because reads may be stale. The log
 * shows at once what it waits for. A status that shows this deployment's own switch can be stale
 * only after a manual edit.
 */
export async function settle<T extends Compared>(
  { ports, log }: StageContext,
  read: (polls: number) => Promise<T>,
): Promise<T> {
  const cadence = { pollMs: contradictionPauseMs };
  return pollUntil({ clock: ports.clock, cadence }, async (polls) => {
    const now = await read(polls);
    const most = now.isNew === true ? newRecordChecks : contradictionChecks;
    if (now.found === undefined || polls >= most) return done(now);
    log.wait(
      `Waiting: ${now.found.reason}; a response may be stale, so hosted-runner reads both parameters again.`,
    );
    return pending();
  });
}

export interface Comparison {
  /** First read of the status. */
  readonly snapshot?: ParameterSnapshot;
  /** Runs before a contradiction stops the run; returns the shard that was reopened. */
  readonly reopenFirst?: () => Promise<Shard | undefined>;
}

/** Stops the run if record, status and reality disagree. */
export async function refuseContradiction(
  context: StageContext,
  record: DeploymentRecord,
  comparison: Comparison = {},
): Promise<void> {
  await withGuardEvent(context, 'agreement', () => compareWithStatus(context, record, comparison));
}

async function compareWithStatus(
  context: StageContext,
  record: DeploymentRecord,
  { snapshot, reopenFirst }: Comparison,
): Promise<void> {
  const { status, found } = await settle(context, async (polls) => {
    const first = polls === 1 ? { snapshot } : {};
    const { status, version } = await readStatusOnce(context, first);
    const found = contradictionWithStatus({ status }, record);
    return { status, found, isNew: showsOurSwitch(record, version) };
  });
  if (found === undefined) return;
  const opened = await reopenFirst?.();
  const views = await observeShards(context);
  throw await warnOfContradiction(context, { found, status, views, opened });
}
