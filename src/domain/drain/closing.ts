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
  const { closedAt: _, ...deployment } = withoutOther(record).deployment;
  return { ...record, deployment };
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

/** What is closed from here on is closed by us. */
export function withoutOther(record: DeploymentRecord): DeploymentRecord {
  const { closedByOther: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

/**
 * What has closed a shard outlives the deployment that retires it. How often it was opened again does
 * not: who activates the other one has decided.
 */
export function closingOf(
  before: DeploymentRecord | undefined,
  retiring: Shard | undefined,
): Pick<Deployment, 'closedAt' | 'closedByOther' | 'stoppingAt'> {
  const { deployment } = before ?? {};
  if (deployment === undefined || deployment.phase === 'done') return {};
  const { phase, phaseAt, stoppingAt } = deployment;
  // What a retreat closes is not noted, nor a way back whose own proof was bad.
  const isOurs =
    phase === 'retreating' || (deployment.kind === 'rollback' && phase === 'promoting');
  if (isOurs && deployment.candidate === retiring) return { closedAt: phaseAt };
  if (deployment.retiring !== retiring) return {};
  // Its pause may have been sent, and never noted.
  const closedAt = deployment.closedAt ?? (phase === 'draining' ? phaseAt : undefined);
  return {
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(isClosedByOther(deployment) ? { closedByOther: true as const } : {}),
    ...(stoppingAt === undefined ? {} : { stoppingAt }),
  };
}
