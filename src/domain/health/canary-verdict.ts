import type { ShardEntry } from '../deployment/record.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { CanaryJob } from './canary-job.ts';

export type CanaryVerdict =
  /** It succeeded on the candidate, on a manager that counts, and began after the last apply. */
  | { readonly kind: 'proof'; readonly workerId: number; readonly reason: string }
  | { readonly kind: 'wait'; readonly reason: string }
  /** It can prove nothing (any more); a new one has to be started. */
  | { readonly kind: 'start'; readonly reason: string }
  /** It ran on the candidate and failed there. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It was given secrets of the deployment: a fault of the settings, which each further canary repeats. */
  | { readonly kind: 'exposed'; readonly reason: string };

export interface CanaryFacts {
  readonly job: CanaryJob | undefined;
  readonly registrationId: string;
  /** Managers that were born by the last apply or are proven to be the host's. */
  readonly workers: readonly number[];
  readonly canaryAtApply: ShardEntry['canaryAtApply'];
  readonly words: RegistryTerms;
}

export function judgeCanary({
  job,
  registrationId,
  workers,
  canaryAtApply,
  words,
}: CanaryFacts): CanaryVerdict {
  if (job === undefined) return { kind: 'start', reason: 'there is no canary job yet' };
  const where = `canary job ${job.id}`;
  if (job.status === 'unknown')
    return { kind: 'wait', reason: `${where} has a status that is not known` };
  if (!beganAfterApply(job, canaryAtApply)) {
    if (isAlive(job))
      return { kind: 'wait', reason: `${where} began before the last apply and still runs` };
    return { kind: 'start', reason: `${where} began before the last apply` };
  }
  if (job.status === 'waiting') return { kind: 'wait', reason: `${where} waits for a runner` };
  if (isAlive(job)) return { kind: 'wait', reason: `${where} is ${job.status}` };
  if (job.exposed !== undefined)
    return { kind: 'exposed', reason: `${where} was given ${job.exposed.join(' and ')}` };
  if (job.status === 'canceled') {
    const why = job.failureReason === 'manual' ? 'waits to be played' : 'was canceled';
    return { kind: 'start', reason: `${where} ${why}` };
  }
  if (job.registrationId === undefined) {
    return {
      kind: 'start',
      reason: `${where} ended as ${job.status} and ${words.registry} does not say on which runner`,
    };
  }
  if (job.registrationId !== registrationId) {
    return {
      kind: 'start',
      reason: `${where} ran on ${words.registration} ${job.registrationId}, not on ${registrationId}`,
    };
  }
  if (job.status === 'failed') {
    return {
      kind: 'failed',
      reason: `${where} failed on the candidate: ${job.failureReason ?? 'no reason given'}`,
    };
  }
  if (job.workerId === undefined) {
    return {
      kind: 'start',
      reason: `${where} succeeded and ${words.registry} does not say on which ${words.manager}`,
    };
  }
  if (!workers.includes(job.workerId)) {
    return {
      kind: 'start',
      reason: `${where} ran on ${words.manager} ${job.workerId}, which is not of this apply`,
    };
  }
  return {
    kind: 'proof',
    workerId: job.workerId,
    reason: `${where} succeeded on ${words.manager} ${job.workerId}`,
  };
}

/** Compares ids and not clocks: GitLab's job ids only rise, and ours and GitLab's clocks may differ. */
function beganAfterApply(job: CanaryJob, atApply: ShardEntry['canaryAtApply']): boolean {
  if (atApply === undefined) return true;
  const newer = Number(job.id) - Number(atApply.id);
  return newer > 0 || (newer === 0 && !atApply.started);
}

/** A manual job that nobody has played is told as canceled, and keeps its id once it is played. */
export function hasCanaryBegun({ status, startedAt }: CanaryJob): boolean {
  return status !== 'waiting' && (status !== 'canceled' || startedAt !== undefined);
}

function isAlive(job: CanaryJob): boolean {
  return job.status === 'waiting' || job.status === 'running' || job.status === 'canceling';
}
