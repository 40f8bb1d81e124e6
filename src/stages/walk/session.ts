import { DeployError } from '../../errors/deploy-error.ts';
import { asDeployError } from '../../errors/outside.ts';
import { keepingRefusals } from '../candidate/refused-writes.ts';
import { leaveNoCanary } from '../health/leave-no-canary.ts';
import { refuseOtherAccount } from '../observe/aws-account.ts';
import { describeSituation } from '../observe/situation.ts';
import { takeLock } from '../record/lock/lock.ts';
import { refuseHeldUnlessLeftClosed } from '../service/left-closed.ts';
import { notingContacts } from '../service/seen-contacts.ts';
import type { StageContext } from './context.ts';
import { guarded } from './guarded.ts';
import { notingEffects } from './noting-effects.ts';
import { ownerLost } from './owner.ts';
import type { StageResult } from './result.ts';

/** After a cancel GitHub kills within ten seconds: the error itself must still be said. */
const lastWordsAfterCancelMs = 2000;
const lastWordsMs = 30_000;

export interface Session {
  /** What the body works with; cancelled with the process. */
  readonly context: StageContext;
  /** The same without the cancel check: for the lock and the last words. */
  readonly unsealed: StageContext;
  /** A person says that the lock's owner no longer runs. */
  readonly takeLock: boolean;
}

/**
 * What a command refuses by reads alone. It may look while a hold is looked for, and says and asks
 * nothing before `free`, which rejects where there is one.
 */
export type Refuse = (context: StageContext, free: Promise<void>) => Promise<void>;

/** One run of one stage: under the lock, and with an error that says where things stand. */
export async function runSession(
  session: Session,
  body: (context: StageContext) => Promise<StageResult>,
  refuse: Refuse = (_, free) => free,
): Promise<StageResult> {
  const { context, unsealed } = session;
  const { settings, names, run, log, stage } = context;
  const noting = notingEffects(context);
  let isRefused = true;
  try {
    await refuseOtherAccount(context);
    // Before the lock only refusals: that nothing is to be done is known under it alone.
    await endingCanary(unsealed, { isOurs: true }, async () => {
      const free = refuseHeldUnlessLeftClosed(context);
      // Whoever loads its part of the program first has not begun to wait for it.
      free.catch(() => {});
      await refuse(context, free);
    });
    const take = () =>
      takeLock({
        ports: context.ports,
        uncancelled: unsealed.ports,
        parameter: names.lock,
        runner: settings.runnerName,
        stage,
        run,
        byHand: session.takeLock,
        log,
      });
    const lock = await endingCanary(unsealed, { isOurs: false }, () =>
      guarded(context, 'lock', take),
    );
    isRefused = false;
    context.journal.ownedBy(lock);
    return await releasing(
      () =>
        endingCanary(unsealed, { isOurs: true }, () =>
          keepingRefusals({ ...notingContacts(noting.context), afterCancel: unsealed }, body),
        ),
      () => lock.release(unsealed.ports, context.journal.seenVersion()),
      log,
    );
  } catch (error) {
    const failed = told(asDeployError(error, context.again), noting.hasActed());
    // Whoever is refused has changed nothing, and is told at once.
    throw await withSituation(unsealed, failed, { atOnce: isRefused });
  }
}

/** That nothing was touched is said by exit code 2, and only where it is so. */
function told(error: DeployError, hasActed: boolean): DeployError {
  if (!hasActed || error.exitCode !== 2) return error;
  const { now: _, ...fields } = error.fields;
  return new DeployError({ ...fields, exitCode: 1 });
}

/** For commands that change nothing of a deployment. */
export async function runWithoutLock(
  { context, unsealed }: Session,
  body: (context: StageContext) => Promise<StageResult>,
): Promise<StageResult> {
  try {
    await refuseOtherAccount(context);
    return await body(context);
  } catch (error) {
    const failed = asDeployError(error, context.again);
    throw await withSituation(unsealed, failed, { atOnce: true });
  }
}

async function endingCanary<Result>(
  unsealed: StageContext,
  { isOurs }: { readonly isOurs: boolean },
  part: () => Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    const { code, exitCode } = asDeployError(error, '');
    // The canary is whose the deployment is now.
    if (!ownerLost.has(code))
      await leaveNoCanary(unsealed, { isOurs, isCancelled: exitCode === 130 });
    throw error;
  }
}

/** A lock that cannot be released is reported after the first error, never instead of it. */
async function releasing(
  body: () => Promise<StageResult>,
  release: () => Promise<void>,
  log: StageContext['log'],
): Promise<StageResult> {
  let result: StageResult;
  try {
    result = await body();
  } catch (error) {
    await release().catch((second: unknown) =>
      log.warn(`The lock was not released: ${String(second)}`),
    );
    throw error;
  }
  await release();
  return result;
}

export async function withSituation(
  context: StageContext,
  error: DeployError,
  { atOnce }: { atOnce: boolean } = { atOnce: false },
): Promise<DeployError> {
  if (error.fields.now !== undefined) return error;
  const limitMs = error.exitCode === 130 ? lastWordsAfterCancelMs : lastWordsMs;
  const now = await within(context, { limitMs, atOnce });
  return new DeployError({ ...error.fields, now });
}

async function within(
  context: StageContext,
  { limitMs, atOnce }: { limitMs: number; atOnce: boolean },
): Promise<string> {
  const answered = new AbortController();
  const tooLong = context.ports.clock.sleep(limitMs, answered.signal).then(
    () => 'Which shard serves could not be found out in time.',
    () => '',
  );
  const situation = await Promise.race([describeSituation(context, { atOnce }), tooLong]);
  answered.abort();
  return situation;
}
