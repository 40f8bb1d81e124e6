import type { Instance } from './instance.ts';
import type { Manager, Runner } from './state.ts';

const HOUR_MS = 60 * 60 * 1000;
/** A host that died is `online` for two hours more. */
const ONLINE_FOR_MS = 2 * HOUR_MS;
const STALE_AFTER_MS = 7 * 24 * HOUR_MS;

export type ContactStatus = 'online' | 'offline' | 'stale' | 'never_contacted';

/** What REST calls a runner's status: a pause hides whether it is online, but not that it is stale. */
export function restStatus(instance: Instance, runner: Runner): ContactStatus | 'paused' {
  const status = statusOf(instance.now(), runner);
  const isHeardOf = status === 'online' || status === 'offline';
  return runner.paused && isHeardOf ? 'paused' : status;
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

/** Running jobs make a runner `active`, in older versions those being cancelled too; never an assigned one. */
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
