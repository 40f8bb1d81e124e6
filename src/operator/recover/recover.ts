import { broughtChange } from '../../domain/deployment/last-apply.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { RecoveryFacts, RecoveryMethod } from '../../domain/deployment/recovery-methods.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import { type DeployError, isDeployError } from '../../errors/deploy-error.ts';
import { lineOf } from '../../errors/fix-line.ts';
import { cannotRecover } from '../../errors/recovery-errors.ts';
import { notPrepared } from '../../errors/state-errors.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { judgeRun } from '../../stages/context/deployment-owner.ts';
import { withGuardEvent } from '../../stages/context/guard-event.ts';
import { alreadyDone, type RunResult, type StageResult } from '../../stages/context/result.ts';
import { refuseContradiction } from '../../stages/effects/deployment-authority.ts';
import { requireAcceptingShardAtRest } from '../../stages/run/no-accepting-shard.ts';
import { runStage } from '../../stages/run/run-stage.ts';
import { whyNotForceable } from '../../stages/service/recovery-by-force.ts';
import { confirmShard } from '../confirm.ts';
import { chooseMethod, type Recovery } from './method-choice.ts';
import { readRecoveryFacts } from './recovery-facts.ts';
import { replaceManager } from './replace.ts';
import { isSwapNeeded, swapDirection } from './swap-direction.ts';
import { terminateInstance } from './terminate.ts';

/** Carries out one recovery method: checks that it is allowed, runs it, and provisions again. */
export async function recover(context: StageContext, recovery: Recovery): Promise<RunResult> {
  const record = await readOpenRecord(context);
  if ('kind' in record) return record;
  if (isOnlyFinished(record, recovery)) return finishRetreat(context);
  try {
    return await takeMethod(context, record, recovery);
  } catch (error) {
    if (!isNextMethodDue(context, recovery, error)) throw error;
    context.log.act(`The rerun did not help: ${error.fields.what}`);
    return takeMethod(context, context.journal.current(), recovery);
  }
}

/** Decides whether the command only resumes a retreat, which needs no new confirmation. */
export function isOnlyFinished({ deployment }: DeploymentRecord, recovery: Recovery): boolean {
  const { method, instance } = recovery;
  // The retreat itself requests the end of a machine if no source can report its jobs.
  const isMore = method === 'rerun' || (method === 'terminate' && instance !== undefined);
  return deployment.phase === 'retreating' && !isMore && !isForced(recovery);
}

async function takeMethod(
  context: StageContext,
  record: DeploymentRecord,
  recovery: Recovery,
): Promise<RunResult> {
  const { facts, method } = await chooseFor(context, record, recovery);
  await agreeTo(context, { facts, method, recovery });
  const done = await carryOutMethod(heeding(context, recovery), { facts, method, recovery });
  context.memory.isRecheck = isRecheck({ facts, method, recovery });
  return done ?? resumeDeployment(context, method);
}

/** Decides whether a rerun by `auto`, for lack of another method, skips the wait for evidence. */
function isRecheck({ facts, method, recovery }: RecoveryAttempt): boolean {
  return recovery.method === 'auto' && method === 'rerun' && facts.somethingHappened === undefined;
}

export async function chooseFor(
  context: StageContext,
  record: DeploymentRecord,
  recovery: Recovery & {
    /** Starts no effect and no canary, for a check before the lock. */ readonly isDryRun?: true;
  },
) {
  const facts = await readRecoveryFacts(heeding(context, recovery), record);
  const method = await withGuardEvent(context, 'rung', async () => {
    if (isForced(recovery)) await requireNoneAccepting(context, recovery);
    const chosen = await chooseMethod(context, facts, recovery);
    if (chosen === 'rerun' && !mayResume(context, record))
      throw rerunElsewhere(context, record, recovery);
    return chosen;
  });
  return { facts, method };
}

/** Returns the context for the removal, not for the provision after it. */
function heeding(context: StageContext, recovery: Recovery): StageContext {
  return { ...context, forceWhenNoneAccepts: isForced(recovery) };
}

function isForced({ forceWhenNoneAccepts }: Recovery): boolean {
  return forceWhenNoneAccepts === true;
}

async function requireNoneAccepting(
  context: StageContext,
  { method, isDryRun }: Recovery & { readonly isDryRun?: true },
): Promise<void> {
  const refused = await whyNotForceable(context, { isDryRun });
  if (refused === undefined) return;
  const runner = context.settings.runnerName;
  throw cannotRecover({ runner, method: `${method} --although-nothing-serves`, ...refused });
}

export async function agreeTo(context: StageContext, attempt: RecoveryAttempt): Promise<void> {
  await withGuardEvent(context, 'consent', () => confirm(context, attempt));
}

const unhealthy: readonly string[] = ['HealthcheckTimedOut', 'CanaryFailed'];

/**
 * Decides whether `auto` continues with the next method in the same command, once, after a rerun
 * with the same result. A rebuilt shard that is unhealthy again has a cause that no method fixes.
 */
function isNextMethodDue(
  { journal }: StageContext,
  { method }: Recovery,
  error: unknown,
): error is DeployError {
  if (!isDeployError(error) || !unhealthy.includes(error.fields.code)) return false;
  const { deployment, shards } = journal.current();
  const apply = shards[deployment.candidate]?.lastApply;
  return method === 'auto' && apply !== undefined && !broughtChange(apply);
}

export async function readOpenRecord(
  context: StageContext,
): Promise<DeploymentRecord | StageResult> {
  const { journal, settings, run } = context;
  const record = await journal.read();
  if (record === undefined) {
    const reason = 'there is no deployment record';
    const isTyped = run.ci === 'terminal';
    throw notPrepared({ runner: settings.runnerName, stage: 'recover', reason, isTyped });
  }
  const { id, phase } = record.deployment;
  if (phase === 'done') {
    await requireAcceptingShardAtRest(context);
    return alreadyDone(context, `deployment ${id} is done`);
  }
  await refuseContradiction(context, record);
  return record;
}

export interface RecoveryAttempt {
  readonly facts: RecoveryFacts;
  readonly method: RecoveryMethod;
  readonly recovery: Recovery;
}

async function confirm(context: StageContext, attempt: RecoveryAttempt): Promise<void> {
  const { facts, method, recovery } = attempt;
  const machines = facts.machines === 'unknown' ? 'not known' : facts.machines.join(', ') || 'none';
  const instances =
    method === 'terminate' ? (recovery.instance ?? machines) : `instances: ${machines}`;
  const touches = isForced(recovery) ? `${instances}; ${formatJobs(facts)}` : instances;
  // The operator confirms the command as typed, because fewer options would change its effect.
  const command = { again: context.stage, runner: context.settings.runnerName };
  const { consent } = recovery;
  const { phase } = facts.record.deployment;
  const canResume = isBefore(phase, 'promoted') && mayResume(context, facts.record);
  // After the first production tag, Terraform never touches the candidate.
  const ending = facts.record.deployment.awaitsApproval
    ? 'stops there, because promote waits for an approval'
    : 'makes it active if it is healthy';
  const does = isBefore(phase, 'promoting')
    ? `builds what is missing or changed, checks ${facts.shard}, and ${ending}`
    : `checks ${facts.shard} again, and finishes its promotion if it is healthy`;
  const next = canResume ? { after: `provision ${does}` } : {};
  await confirmShard(context, facts.shard, { consent, act: method, command, touches, ...next });
}

function formatJobs({ jobs, hostJobs }: RecoveryFacts): string {
  const listed = jobs.map(({ id, name, status }) => `job ${id} "${name}" is ${status}`).join(', ');
  const onHosts = hostJobs === 'unknown' ? 'not known' : String(hostJobs);
  return `jobs: ${listed === '' ? 'none is listed' : listed}, on its hosts: ${onHosts}`;
}

async function carryOutMethod(
  context: StageContext,
  { facts, method, recovery }: RecoveryAttempt,
): Promise<RunResult | undefined> {
  const { shard } = facts;
  const { phase } = facts.record.deployment;
  switch (method) {
    case 'rerun':
      return undefined;
    case 'cleanup': {
      if (isForced(recovery) && !isBefore(phase, 'promoted')) return runStage(context, 'finalize');
      if (isSwapNeeded(facts)) await swapDirection(context, shard);
      const result = await runStage(context, 'cleanup', { removesCandidate: true });
      const isCandidate = isBefore(context.journal.current().deployment.phase, 'promoted');
      return isCandidate ? undefined : result;
    }
    case 'replace':
      await replaceManager(context, shard, recovery.addresses ?? []);
      return undefined;
    case 'terminate':
      await terminateInstance(context, shard, recovery.instance);
      if (phase === 'retreating') return finishRetreat(context);
      return isBefore(phase, 'promoted') ? undefined : runStage(context, 'finalize');
  }
}

async function finishRetreat(context: StageContext): Promise<RunResult> {
  await runStage(context, 'cleanup', { removesCandidate: true });
  return resumeDeployment(context, 'cleanup');
}

/** Returns whether the run may provision: the deployment's pipeline, or a terminal. */
function mayResume(context: StageContext, record: DeploymentRecord): boolean {
  return context.run.ci === 'terminal' || judgeRun(context, record)?.kind === 'resume';
}

/** Refuses a rerun outside the deployment's pipeline. Later methods would remove more. */
function rerunElsewhere(
  { settings }: StageContext,
  { deployment: { id } }: DeploymentRecord,
  { method }: Recovery,
): DeployError {
  const runner = settings.runnerName;
  return cannotRecover({
    runner,
    method,
    reason: `only rerun can help, and only the pipeline of deployment ${id} or an operator at a terminal can provision`,
    next: [{ text: 'In that pipeline, or at a terminal', command: 'provision', runner }],
  });
}

async function resumeDeployment(context: StageContext, method: RecoveryMethod): Promise<RunResult> {
  const { log, settings, journal, run, typed } = context;
  const runner = settings.runnerName;
  if (!mayResume(context, journal.current())) {
    const text = 'Next, in the pipeline of the deployment';
    log.act(lineOf({ text, command: 'provision', runner }, typed));
    return { kind: 'done', summary: [`${method} is done; continue with provision`] };
  }
  log.section('provision');
  context.memory.hasBegun = true;
  const result = await runStage(context, 'provision');
  if (result.kind !== 'done') return result;
  if (journal.current().deployment.phase === 'healthy') {
    const text = 'Next, after the approval';
    if (run.ci !== 'terminal') log.act(lineOf({ text, command: 'promote', runner }, typed));
    return result;
  }
  // At a terminal every command ends with the next command.
  if (run.ci !== 'terminal') log.act(lineOf({ text: 'Next', command: 'finalize', runner }, typed));
  const where = run.ci === 'terminal' ? '' : ' from a new pipeline';
  log.act(
    `Then deploy once more${where}: it rebuilds the other shard, which may have the same fault.`,
  );
  return result;
}
