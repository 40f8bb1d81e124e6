import {
  type Deployment,
  type DeploymentRecord,
  shardEntry,
  withDeployment,
  withShard,
} from '../deployment/record.ts';
import type { Shard } from '../shard.ts';

/** A process of it runs, whatever was begun. */
export function withoutStop(record: DeploymentRecord): DeploymentRecord {
  const { stoppingAt: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

/** Whether the retiring shard's processes may have ended by us: silence is no sign of them then. */
export function mayBeStopped({ stoppingAt }: Deployment): boolean {
  return stoppingAt !== undefined;
}

/** The drain no longer keeps the retiring shard closed. */
export function withoutClosing(record: DeploymentRecord): DeploymentRecord {
  const { closedAt: _, ...deployment } = withoutOther(record).deployment;
  return { ...record, deployment };
}

/** What a pause of ours that may land late has closed: since then no note of ours tells that it is not. */
export function withoutPause(record: DeploymentRecord): DeploymentRecord {
  return isPauseUnconfirmed(record.deployment) ? record : withoutClosing(record);
}

/** Whether a pause of ours was never seen to be answered: an opening does not end it. */
export function isPauseUnconfirmed({ pauseUnansweredAt }: Deployment): boolean {
  return pauseUnansweredAt !== undefined;
}

/** @param at of the first one: any later one may land no earlier */
export function withPauseUnanswered(record: DeploymentRecord, at: string): DeploymentRecord {
  const { pauseUnansweredAt = at } = record.deployment;
  return { ...record, deployment: { ...record.deployment, pauseUnansweredAt } };
}

/**
 * Whether a run died, or was cut off, between its note that it drains and the note that it has closed: its
 * pause may be under way.
 */
export function mayPauseBePending(deployment: Deployment): boolean {
  const { phase, closedAt } = deployment;
  return phase === 'draining' && closedAt === undefined && !isClosedByOther(deployment);
}

export function withPauseUnconfirmed(record: DeploymentRecord): DeploymentRecord {
  const { deployment } = record;
  return mayPauseBePending(deployment) ? withPauseUnanswered(record, deployment.phaseAt) : record;
}

/** Whether what is gone back to may be closed late by the pause of the drain that it is taken out of. */
export function mayBePausedLate(before: DeploymentRecord | undefined, candidate: Shard): boolean {
  if (before === undefined || before.deployment.phase === 'done') return false;
  return before.deployment.candidate === candidate
    ? shardEntry(before, candidate).pausedByOther === false
    : inheritedPause(before, candidate).pauseUnansweredAt !== undefined;
}

/** Who has closed what was opened again before its next drain and is found closed, where nobody can tell. */
export function describePauseDoubt({ phase, pauseUnansweredAt }: Deployment): string | undefined {
  if (phase !== 'promoted' || pauseUnansweredAt === undefined) return undefined;
  return describeLatePause(`of ${pauseUnansweredAt}`);
}

/** @param of which pause of ours it was: `of its drain` */
export function describeLatePause(of: string): string {
  return `by our pause ${of} that landed late, as nobody has seen its answer, or by somebody else`;
}

/**
 * Whose the closing of the retiring shard is. A pause has no name on it, so that the record says it, before
 * any pause of ours: what was closed as the drain began, with no closing of ours in the record, a person
 * has closed, and only a person opens it. What was open then, or at a later look, is closed by us, also where the
 * run that sent the pause died before it noted it.
 */
export function isClosedByOther({ closedByOther }: Deployment): boolean {
  return closedByOther === true;
}

/** The same of any shard: a candidate is closed by its retreat. */
export function isClosedByOperator(record: DeploymentRecord, shard: Shard): boolean {
  return record.deployment.retiring === shard
    ? isClosedByOther(record.deployment)
    : shardEntry(record, shard).pausedByOther === true;
}

export function withClosedByOperator(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  return record.deployment.retiring === shard
    ? withDeployment(record, { closedByOther: true })
    : withShard(record, shard, { pausedByOther: true });
}

export function withoutClosedByOperator(record: DeploymentRecord, shard: Shard): DeploymentRecord {
  if (record.deployment.retiring === shard) return withoutOther(record);
  const { pausedByOther: _, ...entry } = shardEntry(record, shard);
  return { ...record, shards: { ...record.shards, [shard]: entry } };
}

/** What is closed from here on is closed by us. */
function withoutOther(record: DeploymentRecord): DeploymentRecord {
  const { closedByOther: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

/**
 * What has closed a shard outlives the deployment that retires it. How often it was opened again does
 * not: who activates the other one has decided.
 */
export function inheritedPause(
  before: DeploymentRecord | undefined,
  retiring: Shard | undefined,
): Pick<Deployment, 'closedAt' | 'closedByOther' | 'pauseUnansweredAt' | 'stoppingAt'> {
  if (before === undefined) return {};
  const { deployment } = before;
  if (deployment.phase === 'done') return {};
  const { phase, phaseAt, stoppingAt } = deployment;
  // What a retreat closes is not noted, nor a way back whose own proof was bad.
  const isOurs =
    phase === 'retreating' || (deployment.kind === 'rollback' && phase === 'promoting');
  if (isOurs && deployment.candidate === retiring) {
    const isTheirs = isClosedByOperator(before, retiring);
    return { closedAt: phaseAt, ...(isTheirs ? { closedByOther: true as const } : {}) };
  }
  if (deployment.retiring !== retiring) return {};
  // Its pause may have been sent, and never noted.
  const closedAt = deployment.closedAt ?? (phase === 'draining' ? phaseAt : undefined);
  const { pauseUnansweredAt = mayPauseBePending(deployment) ? phaseAt : undefined } = deployment;
  return {
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(pauseUnansweredAt === undefined ? {} : { pauseUnansweredAt }),
    ...(isClosedByOther(deployment) ? { closedByOther: true as const } : {}),
    ...(stoppingAt === undefined ? {} : { stoppingAt }),
  };
}
