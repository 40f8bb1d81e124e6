import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { DeployError } from '../../errors/deploy-error.ts';
import { asDeployError, noResponse } from '../../errors/external-errors.ts';
import { asLasting } from '../../errors/terraform-causes.ts';
import { isPassing, isPortFailure } from '../../ports/failure.ts';
import { againOf, hasStalled, type StageContext, toUncancelable } from '../context/context.ts';
import { ownerLost } from '../context/deployment-owner.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import type { RunResult, StageResult } from '../context/result.ts';
import { requireSameAccount } from '../observe/account-check.ts';
import { recordingMaintenance } from '../observe/maintenance-mode.ts';
import { readHold } from '../record/hold-parameter.ts';
import { takeLock } from '../record/lock/lock.ts';
import type { HeldLock } from '../record/lock/lock-handle.ts';
import { isRetirementRun } from '../service/drain-abandonment.ts';
import { toRolledBackError } from '../steps/switch/rollback-error.ts';
import { cancelLeftoverCanaries } from './cancel-leftover-canaries.ts';
import { notingObservations } from './contact-notes.ts';
import { addNowLine } from './now-line.ts';
import { pollBakeWithoutLock } from './poll-without-lock.ts';
import { createRunContexts, type PortsOf, type RunContexts } from './run-identity.ts';
import { refuseAtRest, requireNoHoldUnlessWatching } from './stage-refusals.ts';

export interface Session {
  readonly context: StageContext;
  /** The operator states that the lock's owner no longer runs. */
  readonly takeLock: boolean;
  /** Undefined if the CI, an option or a variable names the deployment. */
  readonly portsOfResumed: PortsOf | undefined;
  /** Returns the number of effects that the ports of `context` have begun. */
  readonly effects: () => number;
}

/** Refuses a command by reads alone, first of all because of a hold. */
export type Refuse = (context: StageContext) => Promise<unknown>;

type Body = (context: StageContext) => Promise<RunResult>;

/** Runs one stage under the lock, which is released during a bake. Adds `now:` to errors. */
export async function runSession(
  { context, takeLock, portsOfResumed, effects }: Session,
  body: Body,
  refuse: Refuse = refuseIfHeld,
): Promise<StageResult> {
  const contexts = createRunContexts(context, portsOfResumed);
  const { memory, ports, stage } = context;
  try {
    // A polling run takes the lock only for the verdict.
    const isWatching = stage === 'bake' && !(await isHeld(context));
    const watched = isWatching ? await runWatching(contexts) : undefined;
    if (watched !== undefined) await contexts.decide(watched);
    memory.hasWatched = watched !== undefined;
    // The operator's statement meant the lock's owner before the polling, not a later owner.
    const byHand = takeLock && watched === undefined;
    let end = await runLocked(contexts, { body, refuse, byHand, effects });
    while (end.kind === 'release_lock') {
      memory.letGoAt = ports.clock.elapsed();
      memory.hasWatched = true;
      await runWatching(contexts);
      const resumed = { body: end.resume, refuse: refuseIfHeld, byHand: false, effects };
      end = await runLocked(contexts, resumed);
    }
    return end;
  } catch (error) {
    throw await toRolledBackError(toUncancelable(contexts.current()), error);
  }
}

function refuseIfHeld(context: StageContext): Promise<void> {
  return requireNoHoldUnlessWatching(context, { isLocked: false });
}

/** Reads the hold. No polling begins under a hold; a running one continues. */
async function isHeld({ ports, names }: StageContext): Promise<boolean> {
  const answer = await readHold(ports.parameters, names.hold).catch((error: unknown) => {
    if (!isPortFailure(error)) throw error;
    // A failed read is repeated and reported under the lock.
    return 'unread' as const;
  });
  return answer !== undefined;
}

async function runWatching(contexts: RunContexts): Promise<DeploymentRecord | undefined> {
  const context = contexts.current();
  try {
    if (context.stage === 'bake') await requireSameAccount(context);
    return await pollBakeWithoutLock(context);
  } catch (error) {
    throw await addNowLine(toUncancelable(context), endOf(error, context));
  }
}

interface Locking extends Pick<Session, 'effects'> {
  readonly body: Body;
  readonly refuse: Refuse;
  readonly byHand: boolean;
}

async function runLocked(
  contexts: RunContexts,
  { body, refuse, byHand, effects }: Locking,
): Promise<RunResult> {
  let effectsBefore = Number.POSITIVE_INFINITY;
  let isRefused = true;
  try {
    const context = contexts.current();
    context.memory.serviceForNowLine.clear();
    const lock = await lockUnlessRefused(context, refuse, byHand);
    isRefused = false;
    effectsBefore = effects();
    context.journal.ownedBy(lock);
    context.memory.lockedAt = context.ports.clock.elapsed();
    return await releasing(
      async () => {
        await contexts.decide();
        const decided = contexts.current();
        return endingCanary(decided, { isLockHeld: true }, () =>
          recordingMaintenance(notingObservations(decided), body),
        );
      },
      () => lock.release(context.uncancelable, context.journal.seenVersion()),
      context.log,
    );
  } catch (error) {
    const context = contexts.current();
    const failed = toSessionError(endOf(error, context), effects() > effectsBefore);
    const isUntouched = isRefused && context.memory.letGoAt === undefined;
    throw await addNowLine(toUncancelable(context), failed, { atOnce: isRefused, isUntouched });
  }
}

/** Takes the lock after the refusals. "Nothing to do" is decided only under the lock. */
async function lockUnlessRefused(
  context: StageContext,
  refuse: Refuse,
  byHand: boolean,
): Promise<HeldLock> {
  const { settings, names, run, log, stage, ports } = context;
  await requireSameAccount(context);
  await endingCanary(context, { isLockHeld: true }, () =>
    refuseAtRest(context, () => refuse(context)),
  );
  const request = { parameter: names.lock, runner: settings.runnerName, stage, run, byHand, log };
  const take = () => takeLock({ ...request, ports, uncancelled: context.uncancelable });
  return endingCanary(context, { isLockHeld: false }, () => withGuardEvent(context, 'lock', take));
}

/** Converts the error. A retirement without a response has not failed: the next run resumes it. */
function endOf(error: unknown, context: StageContext): DeployError {
  return isPortFailure(error) && isPassing(error) && isRetirementRun(context)
    ? noResponse(error, againOf(context), hasStalled(context))
    : asLasting(asDeployError(error, againOf(context)), hasStalled(context));
}

/** Exit code 2 means that nothing was changed; otherwise the error ends with exit code 1. */
function toSessionError(error: DeployError, hasActed: boolean): DeployError {
  if (!hasActed || error.exitCode !== 2) return error;
  const { now: _, ...written } = error.written;
  return new DeployError({ ...written, exitCode: 1 });
}

/** Runs a command without the lock. After a stale read, `healthcheck` may skip its canary. */
export async function runWithoutLock(session: Session, body: Body): Promise<StageResult> {
  const contexts = createRunContexts(session.context, session.portsOfResumed);
  try {
    await requireSameAccount(session.context);
    await contexts.decide();
    const result = await body(contexts.current());
    if (result.kind !== 'release_lock') return result;
    throw new Error(`no lock is held: ${result.reason}`);
  } catch (error) {
    const context = contexts.current();
    const failed = asDeployError(error, againOf(context));
    throw await addNowLine(toUncancelable(context), failed, { atOnce: true });
  }
}

async function endingCanary<Result>(
  context: StageContext,
  { isLockHeld }: { readonly isLockHeld: boolean },
  part: () => Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    const { code, exitCode } = asDeployError(error, '');
    // If another run owns the deployment now, it owns the canary too.
    if (!ownerLost.has(code))
      await cancelLeftoverCanaries(toUncancelable(context), {
        isLockHeld,
        isCancelled: exitCode === 130,
      });
    throw error;
  }
}

/** Reports a failed release of the lock after the first error, never instead of it. */
async function releasing(
  body: () => Promise<RunResult>,
  release: () => Promise<void>,
  log: StageContext['log'],
): Promise<RunResult> {
  let result: RunResult;
  try {
    result = await body();
  } catch (error) {
    await release().catch((second: unknown) =>
      log.warn(`Could not release the lock: ${String(second)}`),
    );
    throw error;
  }
  await release();
  return result;
}
