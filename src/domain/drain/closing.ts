import type { Deployment, DeploymentRecord } from '../deployment/record.ts';
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
  const { closedAt: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

/**
 * What has closed a shard outlives the deployment that retires it. How often it was opened again does
 * not: who activates the other one has decided.
 */
export function closingOf(
  before: DeploymentRecord | undefined,
  retiring: Shard | undefined,
): Pick<Deployment, 'closedAt' | 'stoppingAt'> {
  const { deployment } = before ?? {};
  if (deployment === undefined || deployment.retiring !== retiring) return {};
  if (deployment.phase === 'done') return {};
  const { phase, phaseAt, stoppingAt } = deployment;
  // Its pause may have been sent, and never noted.
  const closedAt = deployment.closedAt ?? (phase === 'draining' ? phaseAt : undefined);
  return {
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(stoppingAt === undefined ? {} : { stoppingAt }),
  };
}
