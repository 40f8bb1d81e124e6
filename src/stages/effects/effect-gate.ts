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

/** How often an effect is tried, and how long its being seen may lag behind. */
const attempts = 3;
const effectChecks = 10;
const pauseMs = 1000;
/** A rate limit is waited for as long as by a read; the time that no client may write ends by an operator's hand. */
const acceptedWithinMs = { throttled: 180_000, read_only: 600_000 };

export interface Effect {
  /** Past tense, for the log: `Paused runner 48213`. */
  readonly what: string;
  /** The shard that it touches; our own runner's shard is refused. */
  readonly shard?: Shard;
  /** This run has seen or made a moment ago what it changes, so that it cannot be there yet. */
  readonly isNew?: boolean;
  /** Whether the world already is as the effect would make it. */
  readonly isDone: () => Promise<boolean>;
  readonly act: () => Promise<unknown>;
  readonly proof?: Proof | undefined;
}

/** What an effect rests on, asked after everything else: that may take its time, too. */
export interface Proof {
  /** Asks anew where what was seen is old by now; answers whether it did. */
  renewed(): Promise<boolean>;
}

/**
 * Everything that has to hold right before an effect: credentials that last, no hold, the lock still ours, nobody else at the
 * record, not our own runner, and the status as the record expects it: a drain takes hours, and a person who turns the
 * status around in them means the shard that would be destroyed at their end.
 * @returns the gate's own reading, by which the record can be written at once
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

/** @param besides what the caller needs from the same reading */
export function readForGate(
  { ports, names }: StageContext,
  ...besides: readonly string[]
): Promise<ParameterSnapshot> {
  const { hold, lock, record, status } = names;
  return readParameters(ports, [hold, lock, record, status, ...besides]);
}

/** The gate itself, over a reading that was made for it. */
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
  // `activate` makes an edit by hand whole, whatever it left there.
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

/** The parameter of the hold as it was read, which holds nothing. */
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
 * Brings about one state of the world. Safe to call again: what is done already is left alone, a
 * lost answer is read back and never sent again blindly, and the result is seen before it is believed.
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
 * Repeats a write that was refused because the other system accepts none now. A write never waits long in a queue,
 * so `attempt` includes the checks that have to hold right before it. A read that is refused is not repeated: the
 * write before it in the same attempt may have had its effect.
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
  // Reads may be stale: an effect that was answered with success is looked for longer than a lost one.
  const most = answered ? effectChecks : 3;
  return pollUntil({ clock: ports.clock, cadence: { pollMs: pauseMs } }, async (looks) => {
    if (looks > most) return done(false);
    return (await effect.isDone()) ? done(true) : pending();
  });
}

function notObserved(effect: Effect): PortFailure {
  return new PortFailure({
    kind: 'unexpected',
    effect: 'unknown',
    source: effect.what,
    detail: 'the request was accepted and its effect is not seen',
  });
}
