import type { Registration } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import { otherShard, type Shard, shardDescription } from '../../shard.ts';
import { hasRegistrationMark } from '../onboarding.ts';
import { type DeploymentRecord, shardEntry } from '../record.ts';
import type { Refusal } from './guards.ts';

/**
 * Refuses a runner that belongs to another shard by record, description or registry (rule 10).
 * Returns the source that names the owner, or undefined.
 */
export function requireOwnShard(facts: {
  readonly registration: Registration;
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly record: DeploymentRecord | undefined;
  /** Runners that the registry lists for the stack's other shard. */
  readonly ofOther: readonly Registration[];
}): Refusal {
  const { registration, shard, settings, record, ofOther } = facts;
  const { id, description, note } = registration;
  const { shards } = settings;
  const other = otherShard(shards, shard);
  if (isCalledAsOther({ registration, shard, settings }))
    return `its description is "${description}"`;
  if (shardEntry(record, other).registration === id) return `the record assigns it to ${other}`;
  if (ofOther.some((one) => one.id === id)) return `it is listed as a runner of ${other}`;
  // hosted-runner created it, but not for this shard: perhaps for another stack.
  if (!isKnownAs({ registration, shard, settings, record }) && hasRegistrationMark(note))
    return `a deployment registered it as "${description}"`;
  return undefined;
}

/** Returns whether the runner belongs to this shard by its description or by the record. */
export function isKnownAs({
  registration: { id, description },
  shard,
  settings: { runnerName },
  record,
}: {
  readonly registration: Pick<Registration, 'id' | 'description'>;
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly record: DeploymentRecord | undefined;
}): boolean {
  return (
    description === shardDescription({ runnerName, shard }) ||
    shardEntry(record, shard).registration === id
  );
}

/**
 * Refuses a recorded runner with the other shard's description (rule 10): an operator may have
 * written or restored the record.
 */
export function refuseAsOther(facts: {
  readonly registration: Pick<Registration, 'id' | 'description'>;
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly words: RegistryTerms;
}): Refusal {
  const { registration, shard, words } = facts;
  const { id, description } = registration;
  return isCalledAsOther(facts)
    ? `the record assigns ${words.registration} ${id} to ${shard}, but its description is "${description}"`
    : undefined;
}

/** Returns whether the runner's description is that of the stack's other shard. */
function isCalledAsOther({
  registration,
  shard,
  settings: { runnerName, shards },
}: {
  readonly registration: Pick<Registration, 'description'>;
  readonly shard: Shard;
  readonly settings: StackSettings;
}): boolean {
  const other = otherShard(shards, shard);
  return registration.description === shardDescription({ runnerName, shard: other });
}
