import {
  type Deployment,
  type DeploymentRecord,
  type Intake,
  shardEntry,
  withShard,
} from '../deployment/record.ts';
import type { Shard } from '../shard.ts';

type By = Intake['by'];
/** State with its actor; an accepting shard has no known pause and no actor. */
export type IntakeKey = 'accepting' | `${'pausing' | 'paused'} by ${By}`;

/** Event that changes a shard's intake in the record. */
export type IntakeEvent =
  /** A drain begins, and no operator's pause is found. */
  | 'drain_begins'
  /** A drain begins, and finds the shard paused. */
  | 'drain_finds_pause'
  /** hosted-runner pauses a shard that an operator had paused and unpaused. */
  | 'claim'
  /** A pause got no response: it may take effect at any time from now on. */
  | 'unanswered_pause'
  /** The drain has read the shard as paused. */
  | 'confirmed_pause'
  /** hosted-runner is about to reopen the shard. */
  | 'reopening'
  /** hosted-runner has read the shard as unpaused. */
  | 'reopened'
  /** A retreat or a rollback finds the shard paused. */
  | 'operator_pause';

/**
 * Table of all transitions; an event keeps each state that it does not list. A pause by an unknown
 * actor is treated as one of hosted-runner: reopening then keeps customers' jobs running.
 */
const transitions: Readonly<Record<IntakeEvent, Readonly<Partial<Record<IntakeKey, IntakeKey>>>>> =
  {
    drain_begins: {
      accepting: 'pausing by deployment',
      'pausing by operator': 'pausing by deployment',
      'paused by deployment': 'pausing by deployment',
      'paused by operator': 'pausing by deployment',
      'paused by unknown': 'pausing by unknown',
    },
    drain_finds_pause: {
      accepting: 'pausing by operator',
      'paused by deployment': 'pausing by deployment',
      'paused by operator': 'pausing by operator',
      'paused by unknown': 'pausing by unknown',
    },
    claim: {
      'pausing by operator': 'pausing by deployment',
      'paused by operator': 'paused by deployment',
    },
    unanswered_pause: {
      accepting: 'pausing by unknown',
      'pausing by deployment': 'pausing by unknown',
      'paused by deployment': 'paused by unknown',
    },
    confirmed_pause: {
      accepting: 'paused by deployment',
      'pausing by deployment': 'paused by deployment',
      'pausing by operator': 'paused by operator',
      'pausing by unknown': 'paused by unknown',
    },
    reopening: {
      accepting: 'pausing by deployment',
      'paused by deployment': 'pausing by deployment',
      'paused by unknown': 'pausing by unknown',
    },
    reopened: {
      'pausing by deployment': 'accepting',
      'pausing by operator': 'accepting',
      'paused by deployment': 'accepting',
      'paused by operator': 'accepting',
      'paused by unknown': 'pausing by unknown',
    },
    operator_pause: {
      accepting: 'paused by operator',
      'pausing by deployment': 'paused by operator',
      'pausing by operator': 'paused by operator',
      'paused by deployment': 'paused by operator',
    },
  };

/** Events that keep the time of a known pause: they change its actor or end it. */
const keepingSince: ReadonlySet<IntakeEvent> = new Set(['claim', 'unanswered_pause', 'reopening']);
const drainBegins: ReadonlySet<IntakeEvent> = new Set(['drain_begins', 'drain_finds_pause']);

function keyOf({ state, by }: Intake): IntakeKey {
  return state === 'accepting' ? state : `${state} by ${by}`;
}

/** Returns the next state of the table, with the time since when it holds. */
export function nextIntake(before: Intake, event: IntakeEvent, at: string): Intake {
  const from = keyOf(before);
  const to = transitions[event][from] ?? from;
  if (to === from && !drainBegins.has(event)) return before;
  const [state, by = 'deployment'] = to.split(' by ') as [Intake['state'], By?];
  const isKept = from !== 'accepting' && keepingSince.has(event);
  return { state, by, since: isKept ? before.since : at };
}

/** Returns a shard's intake; a shard that no deployment has paused accepts jobs. */
export function shardIntake(record: DeploymentRecord, shard: Shard): Intake {
  const { startedAt: since } = record.deployment;
  return shardEntry(record, shard).intake ?? { state: 'accepting', by: 'deployment', since };
}

export function withIntake(
  record: DeploymentRecord,
  shard: Shard,
  event: IntakeEvent,
  at: string,
): DeploymentRecord {
  const before = shardIntake(record, shard);
  const intake = nextIntake(before, event, at);
  return intake === before ? record : withShard(record, shard, { intake });
}

/** Returns whether a pause may be in effect, or may still take effect. */
export function mayBePaused(record: DeploymentRecord, shard: Shard): boolean {
  return shardIntake(record, shard).state !== 'accepting';
}

/**
 * Returns since when the record has a pause of the retiring shard; undefined before the drain has
 * confirmed its pause. Outside a drain, `pausing` is a pause that hosted-runner reopens, or that
 * may still take effect.
 */
export function pausedSince(record: DeploymentRecord | undefined): string | undefined {
  const { phase, retiring } = record?.deployment ?? {};
  if (record === undefined || retiring === undefined) return undefined;
  const { state, since } = shardIntake(record, retiring);
  if (state === 'accepting') return undefined;
  return state === 'pausing' && phase === 'draining' ? undefined : since;
}

/** Returns whether an operator paused the shard: hosted-runner never reopens it then. */
export function isPausedByOperator(record: DeploymentRecord, shard: Shard): boolean {
  return mayBePaused(record, shard) && shardIntake(record, shard).by === 'operator';
}

/** Returns whether a found pause is, or may be, one of hosted-runner. */
export function isPausedByUs(record: DeploymentRecord, shard: Shard): boolean {
  return mayBePaused(record, shard) && shardIntake(record, shard).by !== 'operator';
}

/** Returns whether a pause of hosted-runner got no response: a reopen does not end it. */
export function isPauseUnanswered(record: DeploymentRecord, shard: Shard): boolean {
  return shardIntake(record, shard).by === 'unknown';
}

/**
 * Returns whether a run ended after it recorded its drain and before it recorded the pause: the
 * pause may still take effect.
 */
export function mayPauseBePending(record: DeploymentRecord): boolean {
  const { phase, retiring } = record.deployment;
  if (phase !== 'draining' || retiring === undefined) return false;
  const { state, by } = shardIntake(record, retiring);
  return state === 'pausing' && by === 'deployment';
}

export function withPendingPause(record: DeploymentRecord): DeploymentRecord {
  const { phaseAt, retiring } = record.deployment;
  if (retiring === undefined || !mayPauseBePending(record)) return record;
  return withIntake(record, retiring, 'unanswered_pause', phaseAt);
}

/** Describes the earlier pause of a reopened retiring shard, if its actor is unknown. */
export function describePauseDoubt(record: DeploymentRecord): string | undefined {
  const { phase, retiring } = record.deployment;
  if (phase !== 'promoted' || retiring === undefined) return undefined;
  if (!isPauseUnanswered(record, retiring)) return undefined;
  return describeLatePause(`of ${shardIntake(record, retiring).since}`);
}

/** @param of origin of the pause: `of its drain` */
export function describeLatePause(of: string): string {
  return `by a delayed pause ${of} that got no response, or outside hosted-runner`;
}

/** Returns the intake for the next retiring shard: a pause outlives the deployment. */
export function inheritIntake(
  before: DeploymentRecord | undefined,
  retiring: Shard | undefined,
): { intake?: Intake } {
  if (before === undefined || retiring === undefined) return {};
  const { phase, phaseAt, kind, candidate } = before.deployment;
  if (phase === 'done') return {};
  // A retreat and a failed rollback pause their candidate without a note.
  const isUnnoted = phase === 'retreating' || (kind === 'rollback' && phase === 'promoting');
  if (candidate === retiring && !isUnnoted) return {};
  const noted =
    candidate === retiring && !mayBePaused(before, retiring)
      ? withIntake(before, retiring, 'drain_begins', phaseAt)
      : withPendingPause(before);
  return mayBePaused(noted, retiring) ? { intake: shardIntake(noted, retiring) } : {};
}

/** Returns the intake for the next candidate: a pause without a response may still take effect. */
export function inheritLatePause(
  before: DeploymentRecord | undefined,
  candidate: Shard,
): { intake?: Intake } {
  if (before === undefined || before.deployment.phase === 'done') return {};
  const isAgain = before.deployment.candidate === candidate;
  const { intake } = isAgain ? shardEntry(before, candidate) : inheritIntake(before, candidate);
  return intake?.by === 'unknown' ? { intake: { ...intake, state: 'pausing' } } : {};
}

/** Removes all intakes: a deployment that starts without a predecessor has no known pause. */
export function withoutIntakes(record: DeploymentRecord): DeploymentRecord {
  const shards = Object.entries(record.shards).map(([shard, { intake: _, ...entry }]) => {
    return [shard, entry];
  });
  return { ...record, shards: Object.fromEntries(shards) };
}

/** Removes the begun stop: a process of the shard runs again. */
export function withoutStop(record: DeploymentRecord): DeploymentRecord {
  const { stoppingAt: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

/** Keeps a begun stop in the next deployment. */
export function inheritStop(
  before: DeploymentRecord | undefined,
  retiring: Shard | undefined,
): Pick<Deployment, 'stoppingAt'> {
  const { phase, stoppingAt, retiring: stopping } = before?.deployment ?? {};
  return phase === 'done' || stopping !== retiring || stoppingAt === undefined
    ? {}
    : { stoppingAt };
}

/** Returns whether hosted-runner may have ended the processes; no response then proves nothing. */
export function mayBeStopped({ stoppingAt }: Deployment): boolean {
  return stoppingAt !== undefined;
}
