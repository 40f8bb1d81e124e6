import type { Instance } from './instance.ts';
import type { Manager, Runner } from './state.ts';

const HOUR_MS = 60 * 60 * 1000;
/** A host that died is `online` for two hours more. */
export const ONLINE_FOR_MS = 2 * HOUR_MS;
export const STALE_AFTER_MS = 7 * 24 * HOUR_MS;

export type ContactStatus = 'online' | 'offline' | 'stale' | 'never_contacted';

export function runnerStatus(instance: Instance, runner: Runner): ContactStatus {
  return statusOf(instance.now(), runner, runner.creationFinished);
}

export function managerStatus(instance: Instance, manager: Manager): ContactStatus {
  return statusOf(instance.now(), manager, manager.contactedAt !== null);
}

function statusOf(
  now: number,
  { createdAt, contactedAt }: { createdAt: number; contactedAt: number | null },
  creationFinished: boolean,
): ContactStatus {
  if (isStale(now, { createdAt, contactedAt })) return 'stale';
  if (!creationFinished) return 'never_contacted';
  return isOnline(now, contactedAt) === true ? 'online' : 'offline';
}

export function isStale(
  now: number,
  { createdAt, contactedAt }: { createdAt: number; contactedAt: number | null },
): boolean {
  return now - Math.max(createdAt, contactedAt ?? 0) > STALE_AFTER_MS;
}

export function isOnline(now: number, contactedAt: number | null): boolean | null {
  return contactedAt === null ? null : now - contactedAt < ONLINE_FOR_MS;
}

/** Only running jobs make a runner `active`: not one being cancelled, not one assigned to it. */
export function executionStatus(
  instance: Instance,
  by: { runnerId: number } | { managerId: number },
): 'active' | 'idle' {
  const running = instance.state.jobs.some(
    (job) =>
      job.status === 'running' &&
      job.deletedAt === null &&
      ('runnerId' in by ? job.runnerId === by.runnerId : job.managerId === by.managerId),
  );
  return running ? 'active' : 'idle';
}
