import type { DeploymentRecord } from '../deployment/record.ts';
import { truncateReason } from '../text/truncate-reason.ts';
import { type Fingerprint, isSame } from './fingerprint.ts';

/** A deployment that was rolled back, so that nobody deploys the same again without knowing. */
export interface RolledBackDeployment {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** What was wrong, in few words. */
  readonly why: string;
  readonly made: Fingerprint;
}

/** So many are kept, newest first: the record has 4 KB for everything. */
const most = 3;
/** In bytes. */
const mostOfWhy = 160;

/** Notes that what this record's deployment has built is taken back; without its fingerprint nothing is known of it. */
export function withRolledBack(
  record: DeploymentRecord,
  { at, why }: Pick<RolledBackDeployment, 'at' | 'why'>,
): DeploymentRecord {
  const { id, fingerprint: made } = record.deployment;
  if (made === undefined) return record;
  const note: RolledBackDeployment = { id, at, why: truncateReason(why, mostOfWhy), made };
  return { ...record, rollbacks: [note, ...others(record, made)].slice(0, most) };
}

/** What was deployed again and came to its end is taken back no more. */
export function withoutRolledBack(record: DeploymentRecord): DeploymentRecord {
  const { fingerprint: made } = record.deployment;
  if (made === undefined || record.rollbacks === undefined) return record;
  const { rollbacks: _, ...rest } = record;
  const left = others(record, made);
  return left.length === 0 ? rest : { ...rest, rollbacks: left };
}

/** The newest of the notes that cannot be told apart from what is to be deployed. */
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
