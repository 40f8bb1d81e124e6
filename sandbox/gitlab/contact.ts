import type { Instance } from './instance.ts';
import type { Manager, Runner } from './state.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Time for which a dead host stays `online`. */
const ONLINE_FOR_MS = 2 * HOUR_MS;
const STALE_AFTER_MS = 7 * 24 * HOUR_MS;

export type ContactStatus = 'online' | 'offline' | 'stale' | 'never_contacted';

/** Returns a runner's status in REST. A pause hides `online` and `offline`, but not `stale`. */
export function restStatus(instance: Instance, runner: Runner): ContactStatus | 'paused' {
  const status = statusOf(instance.now(), runner);
  const hasContact = status === 'online' || status === 'offline';
  return runner.paused && hasContact ? 'paused' : status;
}

export function runnerStatus(instance: Instance, runner: Runner): ContactStatus {
  return statusOf(instance.now(), runner);
}

export function managerStatus(instance: Instance, manager: Manager): ContactStatus {
  return statusOf(instance.now(), manager);
}

function statusOf(
  now: number,
  { createdAt, contactedAt }: { createdAt: number; contactedAt: number | null },
): ContactStatus {
  if (isStale(now, { createdAt, contactedAt })) return 'stale';
  if (contactedAt === null) return 'never_contacted';
  return isOnline(now, contactedAt) === true ? 'online' : 'offline';
}

export function isStale(
  now: number,
  { createdAt, contactedAt }: { createdAt: number; contactedAt: number | null },
): boolean {
  return now - Math.max(createdAt, contactedAt ?? 0) >= STALE_AFTER_MS;
}

export function isOnline(now: number, contactedAt: number | null): boolean | null {
  return contactedAt === null ? null : now - contactedAt < ONLINE_FOR_MS;
}

/**
 * Returns the execution status. Running jobs make a runner `active`, in older versions also
 * canceling ones, but never an assigned one.
 */
export function executionStatus(
  instance: Instance,
  by: { runnerId: number } | { managerId: number },
): 'active' | 'idle' {
  const { executionIgnoresCanceling } = instance.features;
  const running = instance.state.jobs.some(
    (job) =>
      (job.status === 'running' || (job.status === 'canceling' && !executionIgnoresCanceling)) &&
      job.deletedAt === null &&
      ('runnerId' in by ? job.runnerId === by.runnerId : job.managerId === by.managerId),
  );
  return running ? 'active' : 'idle';
}
