import type { DeploymentRecord } from '../deployment/record.ts';
import { truncateReason } from '../text/truncate-reason.ts';
import { type Fingerprint, isSame } from './fingerprint.ts';

/**
 * Deployment that was rolled back, kept to warn before the same configuration is deployed again.
 */
export interface RolledBackDeployment {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Short reason of the rollback. */
  readonly why: string;
  readonly made: Fingerprint;
}

/** Number of notes, newest first: the whole record has 4 KB. */
const most = 3;
/** Maximum bytes of a reason. */
const mostOfWhy = 160;

/**
 * Notes the rollback of this record's deployment; without a fingerprint there is nothing to
 * compare.
 */
export function withRolledBack(
  record: DeploymentRecord,
  { at, why }: Pick<RolledBackDeployment, 'at' | 'why'>,
): DeploymentRecord {
  const { id, fingerprint: made } = record.deployment;
  if (made === undefined) return record;
  const note: RolledBackDeployment = { id, at, why: truncateReason(why, mostOfWhy), made };
  return { ...record, rollbacks: [note, ...others(record, made)].slice(0, most) };
}

/** Removes the note of a configuration that was deployed again and finished. */
export function withoutRolledBack(record: DeploymentRecord): DeploymentRecord {
  const { fingerprint: made } = record.deployment;
  if (made === undefined || record.rollbacks === undefined) return record;
  const { rollbacks: _, ...rest } = record;
  const left = others(record, made);
  return left.length === 0 ? rest : { ...rest, rollbacks: left };
}

/** Finds the newest rollback of an identical configuration. */
export function findRolledBack(
  record: DeploymentRecord | undefined,
  made: Fingerprint,
): RolledBackDeployment | undefined {
  return record?.rollbacks?.find((note) => isSame(note.made, made));
}

function others(
  { rollbacks = [] }: DeploymentRecord,
  made: Fingerprint,
): readonly RolledBackDeployment[] {
  return rollbacks.filter((note) => !isSame(note.made, made));
}
