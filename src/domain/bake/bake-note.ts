import type { Deployment, DeploymentRecord } from '../deployment/record.ts';
import { isBefore } from '../deployment/stages-and-steps.ts';
import type { BakeSettings } from '../settings.ts';
import { truncateReason } from '../text/truncate-reason.ts';

/**
 * Bake in the deployment record; absent if none was configured at the switch. The clock starts at
 * the switch: a longer drain does not lengthen the bake.
 */
export interface BakeNote {
  /** ISO 8601, clock of hosted-runner: when the candidate was promoted. */
  readonly since: string;
  /**
   * Shortest duration of the bake, in milliseconds, unless the run that checks has another setting.
   */
  readonly forMs: number;
  /** ISO 8601, clock of hosted-runner: the bake ends here, with or without a verdict. */
  readonly until: string;
  /** Absent while the bake runs. */
  readonly ended?: BakeEnd;
}

export interface BakeEnd {
  readonly verdict: 'healthy' | 'unhealthy' | 'inconclusive';
  readonly at: string;
  readonly why: string;
}

/** Rollback that a bad verdict started: the deployment that it rolls back, and the reason. */
export interface AutoRollback {
  readonly id: string;
  readonly at: string;
  readonly why: string;
}

/** Adds a bake once, and only to a deployment that can be rolled back. */
export function withBake(
  record: DeploymentRecord,
  at: string,
  { forMs, atMostMs }: Pick<BakeSettings, 'forMs' | 'atMostMs'>,
): DeploymentRecord {
  const { kind, retiring, bake } = record.deployment;
  if (forMs === undefined || kind !== 'deploy' || retiring === undefined || bake !== undefined)
    return record;
  const until = new Date(Date.parse(at) + Math.max(forMs, atMostMs)).toISOString();
  return { ...record, deployment: { ...record.deployment, bake: { since: at, forMs, until } } };
}

export function withBakeEnd(record: DeploymentRecord, end: BakeEnd): DeploymentRecord {
  const { bake } = record.deployment;
  if (bake === undefined) return record;
  const ended = { ...end, why: truncateReason(end.why) };
  return { ...record, deployment: { ...record.deployment, bake: { ...bake, ended } } };
}

/** Returns whether the bake runs: nothing of the retiring shard is removed before its end. */
export function isBaking({ bake, phase }: Deployment): boolean {
  if (bake === undefined || bake.ended !== undefined) return false;
  return !isBefore(phase, 'promoted') && isBefore(phase, 'baked');
}

/**
 * Returns whether the bake is checked without the lock. Before `drained`, the drain checks it under
 * its own lock.
 */
export function isWatched(deployment: Deployment): boolean {
  return isBaking(deployment) && deployment.phase === 'drained';
}

/** Formats a running bake from the record alone: the counts of its checks are in no record. */
export function formatBaking({ candidate, bake }: Deployment): string {
  if (bake === undefined) return '';
  const least = new Date(Date.parse(bake.since) + bake.forMs).toISOString();
  return `Baking: ${candidate} is checked until ${least} at least and ${bake.until} at most.`;
}

/**
 * Returns the rollback of a deployment whose bake was running, by the verdict or by an operator.
 * Its pipeline fails while the record's history names the deployment.
 */
export function whyRolledBack(record: DeploymentRecord, id: string): AutoRollback | undefined {
  const { autoRollback } = record.deployment;
  if (autoRollback?.id === id) return autoRollback;
  const past = record.history.find((one) => one.id === id && one.isRolledBack === true);
  if (past === undefined) return undefined;
  const note = record.rollbacks?.find((one) => one.id === id);
  return { id, at: past.finishedAt, why: note?.why ?? 'its bake had not ended' };
}
