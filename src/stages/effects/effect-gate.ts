import { refuseOwnRunner } from '../../domain/deployment/guards/guards.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { runsOnItself } from '../../errors/shard-errors.ts';
import { held } from '../../errors/state-errors.ts';
import { isPortFailure, PortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { Parameter } from '../../ports/state-store.ts';
import type { StageContext } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { type Hold, holdIn, readHoldUntil } from '../record/hold-parameter.ts';
import { type ParameterSnapshot, readParameters } from '../record/parameter-snapshot.ts';
import { requireLastingCredentials } from './deadline.ts';
import { refuseContradiction } from './deployment-authority.ts';

/** Number of attempts, and the number of reads until an effect must be visible. */
const attempts = 3;
const effectChecks = 10;
const pauseMs = 1000;
/** Time for a rate limit, as in reads, and for a read-only server, which an operator ends. */
const acceptedWithinMs = { throttled: 180_000, read_only: 600_000 };

export interface Effect {
  /** Past tense, for the log: `Paused runner 48213`. */
  readonly what: string;
  /** Shard that the effect changes. The shard that runs this job is refused. */
  readonly shard?: Shard;
  /** This run has just seen or created the target, so the effect cannot exist yet. */
  readonly isNew?: boolean;
  /** Returns whether the target already has the intended state. */
  readonly isDone: () => Promise<boolean>;
  readonly act: () => Promise<unknown>;
  readonly proof?: Proof | undefined;
}

/** Proof that an effect relies on. It is checked last, because the other checks take time. */
export interface Proof {
  /** Repeats an outdated check; returns whether it did. */
  renewed(): Promise<boolean>;
}

/**
 * Checks all preconditions right before an effect: lasting credentials, no hold, this run's lock,
 * an unchanged record, a shard that does not host this job's runner, and the expected status.
 * During a long drain, an operator may have reverted the status to keep the shard.
 * @returns the record that the gate has read, which the caller can update at once
 */
export async function gate(
  context: StageContext,
  shard?: Shard,
  proof?: Proof,
): Promise<ParameterSnapshot> {
  let snapshot: ParameterSnapshot;
  do {
    snapshot = await readForGate(context);
    await passGate(context, snapshot, shard);
  } while ((await proof?.renewed()) === true);
  return snapshot;
}

/** @param besides further names that the caller needs from the same read */
export function readForGate(
  { ports, names }: StageContext,
  ...besides: readonly string[]
): Promise<ParameterSnapshot> {
  const { hold, lock, record, status } = names;
  return readParameters(ports, [hold, lock, record, status, ...besides]);
}

/** Checks the preconditions against a snapshot that was read for them. */
export async function passGate(
  context: StageContext,
  snapshot: ParameterSnapshot,
  shard?: Shard,
): Promise<void> {
  const { journal } = context;
  requireLastingCredentials(context);
  await requireNoHold(context, snapshot);
  await withGuardEvent(context, 'lock', () => journal.confirm(snapshot));
  await withGuardEvent(context, 'record', () => journal.fence(snapshot));
  if (shard === undefined) return;
  await withGuardEvent(context, 'own_runner', () => refuseOwn(context, shard));
  // `activate` completes a manual edit, so it accepts any status.
  const { kind, phase } = journal.current().deployment;
  if (kind !== 'activate' || phase !== 'promoting')
    await refuseContradiction(context, journal.current(), { snapshot });
}

function refuseOwn({ settings, journal, run, stage }: StageContext, shard: Shard): void {
  const refusal = refuseOwnRunner({
    ownRegistrationId: run.ownRegistrationId,
    registrationId: shardEntry(journal.current(), shard).registration,
    shard,
    settings,
  });
  if (refusal !== undefined)
    throw runsOnItself({ runner: settings.runnerName, stage, reason: refusal });
}

/** Returns the parameter of the hold if it contains no hold; throws otherwise. */
export async function requireNoHold(
  context: StageContext,
  snapshot?: ParameterSnapshot,
): Promise<Parameter | undefined> {
  const { ports, names, settings } = context;
  return withGuardEvent(context, 'hold', async () => {
    const isFree = (hold: Hold | undefined) => hold === undefined;
    const found = await readHoldUntil(ports, names.hold, isFree, snapshot);
    const hold = holdIn(found);
    if (hold !== undefined) throw held({ runner: settings.runnerName, ...hold });
    return found;
  });
}

/**
 * Brings about one state, and is safe to call again. It skips an effect that is already done. After
 * a lost response it reads the state before it sends the request again. It returns once a read
 * shows the result.
 */
export async function ensure(context: StageContext, effect: Effect): Promise<'done' | 'already'> {
  if (effect.isNew !== true && (await effect.isDone())) return 'already';
  for (let attempt = 1; ; attempt += 1) {
    const answered = await untilAccepted(context, async () => {
      await gate(context, effect.shard, effect.proof);
      return tryOnce(effect, attempt);
    });
    if (await isSeen(context, effect, answered)) {
      context.log.act(`${effect.what}.`);
      return 'done';
    }
    if (attempt >= attempts) throw notObserved(effect);
  }
}

/**
 * Repeats a write that the other system refused temporarily. Because a write never waits long in a
 * queue, `attempt` includes the checks right before it. A refused read is not repeated: an earlier
 * write in the same attempt may have taken effect.
 */
export async function untilAccepted<T>(
  { ports, log }: Pick<StageContext, 'ports' | 'log'>,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  const { clock } = ports;
  let waitedMs = 0;
  return pollUntil({ clock, cadence: { pollMs: pauseMs } }, async (number) => {
    try {
      return done(await attempt(number));
    } catch (error) {
      if (!isPortFailure(error) || error.effect !== 'none' || error.againInMs === undefined)
        throw error;
      const againInMs = Math.max(pauseMs, error.againInMs);
      const mostMs = acceptedWithinMs[error.kind === 'read_only' ? 'read_only' : 'throttled'];
      waitedMs += againInMs;
      if (waitedMs >= mostMs) throw error;
      log.wait(`Waiting: ${error.message}.`);
      return pending({ kind: 'after', againInMs });
    }
  });
}

async function tryOnce(effect: Effect, attempt: number): Promise<boolean> {
  try {
    await effect.act();
    return true;
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none' || attempt >= attempts) throw error;
    return false;
  }
}

async function isSeen(
  { ports }: StageContext,
  effect: Effect,
  answered: boolean,
): Promise<boolean> {
  // Reads may be stale: a confirmed effect gets more reads than one whose response was lost.
  const most = answered ? effectChecks : 3;
  return pollUntil({ clock: ports.clock, cadence: { pollMs: pauseMs } }, async (polls) => {
    if (polls > most) return done(false);
    return (await effect.isDone()) ? done(true) : pending();
  });
}

function notObserved(effect: Effect): PortFailure {
  return new PortFailure({
    kind: 'unexpected',
    effect: 'unknown',
    source: effect.what,
    detail: 'the request was accepted, but its effect is not visible',
  });
}
