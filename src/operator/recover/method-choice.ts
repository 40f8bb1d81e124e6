import { mayRemove } from '../../domain/deployment/guards/removal-rules.ts';
import {
  judgeMethods,
  type RecoveryFacts,
  type RecoveryMethod,
} from '../../domain/deployment/recovery-methods.ts';
import { isBefore, nextStage } from '../../domain/deployment/stages-and-steps.ts';
import type { Line } from '../../domain/text/line-to-type.ts';
import { drainBlind } from '../../errors/drain-errors.ts';
import { cannotRecover, noMethodLeft, type Waits } from '../../errors/recovery-errors.ts';
import { rollbackLines } from '../../errors/recovery-lines.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { inParallel } from '../../stages/context/parallel.ts';
import { checkServiceOnce } from '../../stages/observe/shard/service-watch.ts';
import { finishLines } from '../../stages/service/recovery-by-force.ts';
import { findRollbackTarget } from '../../stages/service/rollback-target.ts';
import type { Consent } from '../confirm.ts';

export interface Recovery {
  readonly method: RecoveryMethod | 'auto';
  readonly consent: Consent;
  /** Addresses that `replace` rebuilds; if empty, the manager. */
  readonly addresses?: readonly string[];
  /** Instance for `terminate`, if several have the name. */
  readonly instance?: string;
  /** Removes a shard that cannot accept jobs, after confirmation. */
  readonly forceWhenNoneAccepts?: true;
}

/**
 * Chooses the recovery method. A method that was requested by name is refused with its reason;
 * `auto` is refused with all reasons.
 */
export async function chooseMethod(
  context: StageContext,
  facts: RecoveryFacts,
  recovery: Recovery,
): Promise<RecoveryMethod> {
  const { method: requested, instance } = recovery;
  const runner = context.settings.runnerName;
  const named = namedInstance(facts, instance);
  const verdicts = judgeMethods(named, requested === 'auto' ? 'auto' : 'person');
  const waits = waitsFor(named, requested);
  if (requested !== 'auto') {
    const verdict = verdicts.find(({ method }) => method === requested);
    if (verdict?.kind === 'can_help')
      await refuseOver(context, facts, { requested, method: requested });
    if (verdict?.kind === 'can_help' || verdict === undefined) return requested;
    const able = verdicts.filter(({ kind }) => kind === 'can_help');
    const next = (await inParallel(able, (one) => takeInstead(context, facts, one))).flat();
    if (next.length === 0) refuseBlind(context, named);
    throw cannotRecover({ runner, method: requested, reason: verdict.reason, next, waits });
  }
  const chosen = verdicts.find(({ kind }) => kind === 'can_help');
  const listed = verdicts.map(({ method, kind, reason }) => ({
    method,
    text: `${method} ${kind === 'can_help' ? 'can help' : 'cannot help'}: ${reason}`,
  }));
  if (chosen === undefined) {
    refuseBlind(context, named);
    const reasons = listed.map(({ text }) => text);
    throw noMethodLeft({ runner, reasons, waits });
  }
  await refuseOver(context, facts, { requested, method: chosen.method });
  context.log.act(`Chose ${chosen.method}: ${chosen.reason}.`);
  for (const { method, text } of listed) {
    if (method === chosen.method) continue;
    const isEasier = verdicts.findIndex((one) => one.method === method) < verdicts.indexOf(chosen);
    context.log.act(isEasier ? `Skipped: ${text}.` : `Not needed: ${method}.`);
  }
  return chosen.method;
}

/** Decides whether the method is over: after the promotion, a provision has nothing to do. */
function isOver({ record }: RecoveryFacts, method: RecoveryMethod): boolean {
  return method === 'rerun' && !isBefore(record.deployment.phase, 'promoted');
}

async function takeInstead(
  context: StageContext,
  facts: RecoveryFacts,
  { method, reason }: { readonly method: RecoveryMethod; readonly reason: string },
): Promise<readonly Line[]> {
  if (isOver(facts, method)) return finishLines(context);
  const runner = context.settings.runnerName;
  const more = `--method ${method}`;
  const text = `Use ${method}, because ${reason}`;
  return [{ text, command: 'recover', runner, more, wantsYes: true }];
}

async function refuseOver(
  context: StageContext,
  facts: RecoveryFacts,
  { requested, method }: { requested: Recovery['method']; method: RecoveryMethod },
): Promise<void> {
  if (!isOver(facts, method)) return;
  const { settings } = context;
  const { id, phase, candidate, retiring } = facts.record.deployment;
  const runner = settings.runnerName;
  const service = await checkServiceOnce(context, candidate);
  if (service.kind === 'disproven' && retiring !== undefined) {
    // While the promoted shard is disproven, the other shard cannot be retired; rollback can help.
    const back = await findRollbackTarget(context, retiring);
    if (back !== undefined)
      throw cannotRecover({
        runner,
        method: requested,
        reason: `deployment ${id} is in phase ${phase}, so no method builds anything, and the active shard ${candidate} cannot accept jobs: ${service.reason}`,
        next: rollbackLines({ runner, shard: retiring, back }),
      });
  }
  const left = retiring === undefined ? 'to finish it' : 'to drain and remove the old shard';
  const reason = `there is nothing to recover: deployment ${id} is in phase ${phase}, and the only work left is ${left}`;
  const next = await takeInstead(context, facts, { method, reason });
  throw cannotRecover({ runner, method: requested, reason, next });
}

/** Throws the drain's error if only an operator's check of a machine is missing. */
function refuseBlind({ settings }: StageContext, facts: RecoveryFacts): void {
  const { machines, shard, hiddenJob, record } = facts;
  if (hiddenJob !== 'unknown' || machines === 'unknown') return;
  const isAllowed = machines.some((id) =>
    judgeMethods({ ...facts, machines: [id], isMachineNamed: true }, 'person').some(
      ({ method, kind }) => method === 'terminate' && kind === 'can_help',
    ),
  );
  if (!isAllowed) return;
  throw drainBlind({
    runner: settings.runnerName,
    shard,
    stage: nextStage(record.deployment.phase) ?? 'finalize',
    reason: mayRemove({ act: 'replace', ...facts }).reason,
    registrationGone: facts.registrationGone,
    readsHosts: settings.host.access !== 'none',
    instances: machines,
  });
}

/** Returns the job whose end allows a method, with that method; undefined if none would be. */
function waitsFor(facts: RecoveryFacts, method: Recovery['method']): Waits | undefined {
  const [job] = facts.jobs;
  if (job === undefined) return undefined;
  // Activity in an unknown state is no job whose end could be awaited.
  const hiddenJob = facts.hiddenJob === 'yes' ? 'no' : facts.hiddenJob;
  const then: RecoveryFacts = { ...facts, jobs: [], hostJobs: 0, hiddenJob };
  const able = (by: 'auto' | 'person') =>
    judgeMethods(then, by).filter(({ kind }) => kind === 'can_help');
  if (method !== 'auto' && able('person').some((one) => one.method === method))
    return { job: `job ${job.id}`, method };
  const [first] = able('auto');
  if (first === undefined || isOver(facts, first.method)) return undefined;
  return { job: `job ${job.id}`, method: 'auto' };
}

function namedInstance(facts: RecoveryFacts, instance: string | undefined): RecoveryFacts {
  if (instance === undefined || facts.machines === 'unknown') return facts;
  const machines = facts.machines.filter((id) => id === instance);
  return { ...facts, machines, isMachineNamed: machines.length > 0 };
}
