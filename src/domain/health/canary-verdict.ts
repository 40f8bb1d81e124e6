import type { ShardEntry } from '../deployment/record.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { CanaryJob } from './canary-job.ts';

export type CanaryVerdict =
  /**
   * The canary succeeded on the candidate, on an accepted manager, and started after the last
   * apply.
   */
  | { readonly kind: 'proof'; readonly workerId: number; readonly reason: string }
  | { readonly kind: 'wait'; readonly reason: string }
  /** The canary cannot prove anything (any more); a new one is required. */
  | { readonly kind: 'start'; readonly reason: string }
  /** The canary ran on the candidate and failed there. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The canary received deployment secrets: a settings fault, which every canary would repeat. */
  | { readonly kind: 'exposed'; readonly reason: string };

export interface CanaryFacts {
  readonly job: CanaryJob | undefined;
  readonly registrationId: string;
  /** Managers that the last apply created, or that are proven to run on its hosts. */
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
  if (job === undefined) return { kind: 'start', reason: 'there was no canary job yet' };
  const where = `canary job ${job.id}`;
  if (job.status === 'unknown') return { kind: 'wait', reason: `${where} has an unknown status` };
  if (!beganAfterApply(job, canaryAtApply)) {
    if (isAlive(job))
      return { kind: 'wait', reason: `${where} started before the last apply and still runs` };
    return { kind: 'start', reason: `${where} started before the last apply` };
  }
  if (job.status === 'waiting') return { kind: 'wait', reason: `${where} waits for a runner` };
  if (isAlive(job)) return { kind: 'wait', reason: `${where} is ${job.status}` };
  if (job.exposed !== undefined)
    return { kind: 'exposed', reason: `${where} received ${job.exposed.join(' and ')}` };
  if (job.status === 'canceled') {
    const why = job.failureReason === 'manual' ? 'waits to be started manually' : 'was cancelled';
    return { kind: 'start', reason: `${where} ${why}` };
  }
  if (job.registrationId === undefined) {
    return {
      kind: 'start',
      reason: `${where} ended as ${job.status}, but ${words.registry} does not report on which runner`,
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
      reason: `${where} succeeded, but ${words.registry} does not report on which ${words.manager}`,
    };
  }
  if (!workers.includes(job.workerId)) {
    return {
      kind: 'start',
      reason: `${where} ran on ${words.manager} ${job.workerId}, which does not belong to this apply`,
    };
  }
  return {
    kind: 'proof',
    workerId: job.workerId,
    reason: `${where} succeeded on ${words.manager} ${job.workerId}`,
  };
}

/** Compares ids: GitLab's job ids only rise, while its clock and hosted-runner's may differ. */
function beganAfterApply(job: CanaryJob, atApply: ShardEntry['canaryAtApply']): boolean {
  if (atApply === undefined) return true;
  const newer = Number(job.id) - Number(atApply.id);
  return newer > 0 || (newer === 0 && !atApply.started);
}

/**
 * Returns whether the canary was started. GitLab reports an unstarted manual job as canceled, and
 * keeps its id at the start.
 */
export function hasCanaryBegun({ status, startedAt }: CanaryJob): boolean {
  return status !== 'waiting' && (status !== 'canceled' || startedAt !== undefined);
}

function isAlive(job: CanaryJob): boolean {
  return job.status === 'waiting' || job.status === 'running' || job.status === 'canceling';
}
