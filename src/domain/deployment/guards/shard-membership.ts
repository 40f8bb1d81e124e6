import type { Registration } from '../../registration.ts';
import type { RegistryTerms } from '../../registry-terms.ts';
import type { StackSettings } from '../../settings.ts';
import { otherShard, type Shard, shardDescription } from '../../shard.ts';
import { hasRegistrationMark } from '../onboarding.ts';
import { type DeploymentRecord, shardEntry } from '../record.ts';
import type { Refusal } from './guards.ts';

/**
 * Rule 10: a registration that is to become this shard's must not be another one's, by record,
 * description or the registry. Empty for yes; otherwise who says whose it is.
 */
export function requireOwnShard(facts: {
  readonly registration: Registration;
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly record: DeploymentRecord | undefined;
  /** What the registry lists for the stack's other shard. */
  readonly ofOther: readonly Registration[];
}): Refusal {
  const { registration, shard, settings, record, ofOther } = facts;
  const { id, description, note } = registration;
  const { shards } = settings;
  const other = otherShard(shards, shard);
  if (isCalledAsOther({ registration, shard, settings }))
    return `its description is "${description}"`;
  if (shardEntry(record, other).registration === id) return `the record knows it as ${other}'s`;
  if (ofOther.some((one) => one.id === id)) return `it is listed as ${other}'s`;
  // Of another stack, perhaps: ours, and not for this shard.
  if (!isKnownAs({ registration, shard, settings, record }) && hasRegistrationMark(note))
    return `a deployment has registered it as "${description}"`;
  return undefined;
}

/** Whether it is this shard's by its description or by the record. */
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

/** Rule 10: a record that was written by hand, or put back, may name the other shard's registration. */
export function refuseAsOther(facts: {
  readonly registration: Pick<Registration, 'id' | 'description'>;
  readonly shard: Shard;
  readonly settings: StackSettings;
  readonly words: RegistryTerms;
}): Refusal {
  const { registration, shard, words } = facts;
  const { id, description } = registration;
  return isCalledAsOther(facts)
    ? `the record names ${words.registration} ${id} as ${shard}'s, and its description is "${description}"`
    : undefined;
}

/** Whether its description is that of the stack's other shard. */
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
