import type { Deployment, DeploymentRecord } from '../deployment/record.ts';
import { isBefore } from '../deployment/stages-and-steps.ts';
import type { BakeSettings } from '../settings.ts';
import { truncateReason } from '../text/truncate-reason.ts';

/**
 * What the record keeps of a bake. Its clock starts with the switch, so that a drain costs nothing
 * where it takes longer; absent where none was configured then.
 */
export interface BakeNote {
  /** ISO 8601, our own clock: when the candidate was promoted. */
  readonly since: string;
  /** So many milliseconds it is watched at least, unless the run that watches is told otherwise. */
  readonly forMs: number;
  /** ISO 8601, our own clock: the watching ends here with what is known. */
  readonly until: string;
  /** Absent while it goes on. */
  readonly ended?: BakeEnd;
}

export interface BakeEnd {
  readonly verdict: 'healthy' | 'unhealthy' | 'inconclusive';
  readonly at: string;
  readonly why: string;
}

/** Of a rollback that a verdict has begun: which deployment it takes back, and why. */
export interface AutoRollback {
  readonly id: string;
  readonly at: string;
  readonly why: string;
}

/** Only a deployment that leaves a way back is watched, and only once. */
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

/** Whether the candidate is watched: until then nothing of the old shard is taken away. */
export function isBaking({ bake, phase }: Deployment): boolean {
  if (bake === undefined || bake.ended !== undefined) return false;
  return !isBefore(phase, 'promoted') && isBefore(phase, 'baked');
}

/** Without the lock; before that the drain watches, under its own. */
export function isWatched(deployment: Deployment): boolean {
  return isBaking(deployment) && deployment.phase === 'drained';
}

/** Of one that goes on, as far as the record alone tells: what was counted stands in no record. */
export function formatBaking({ candidate, bake }: Deployment): string {
  if (bake === undefined) return '';
  const least = new Date(Date.parse(bake.since) + bake.forMs).toISOString();
  return `Baking: ${candidate} is watched until ${least} at least, and ${bake.until} at most.`;
}

/**
 * Whose deployment was taken back while its bake went on, by the verdict or by a person; its pipeline
 * never ends well, as long as the record's history names it.
 */
export function whyRolledBack(record: DeploymentRecord, id: string): AutoRollback | undefined {
  const { autoRollback } = record.deployment;
  if (autoRollback?.id === id) return autoRollback;
  const past = record.history.find((one) => one.id === id && one.isRolledBack === true);
  if (past === undefined) return undefined;
  const note = record.rollbacks?.find((one) => one.id === id);
  return { id, at: past.finishedAt, why: note?.why ?? 'its bake had not ended' };
}
