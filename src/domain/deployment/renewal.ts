import type { Registration } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { Shard } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import { type DeploymentRecord, shardEntry } from './record.ts';
import { isBefore, isReturnable } from './stages-and-steps.ts';

/** Lifetime at GitHub: https://docs.github.com/rest/actions/self-hosted-runners */
export const tokenLifeMs = 3_600_000;

/**
 * Lists shards whose hosts may have to register: the active shard, the candidate, and the retiring
 * shard while a rollback is possible. The retiring shard is paused meanwhile.
 */
export function registeringShards(
  status: Status,
  record: DeploymentRecord | undefined,
): { readonly open: readonly Shard[]; readonly closed: readonly Shard[] } {
  const active = status.kind === 'known' ? [status.active] : [];
  const { phase, candidate, retiring } = record?.deployment ?? {};
  const rises =
    phase !== undefined &&
    phase !== 'retreating' &&
    !isBefore(phase, 'onboarded') &&
    isBefore(phase, 'promoted');
  const open = [...new Set([...active, ...(rises && candidate !== undefined ? [candidate] : [])])];
  const mayReturn =
    record !== undefined &&
    retiring !== undefined &&
    !open.includes(retiring) &&
    isReturnable(record.deployment.phase) &&
    shardEntry(record, retiring).removal === undefined;
  return { open, closed: mayReturn ? [retiring] : [] };
}

/**
 * Returns why no host of the shard may register, in which case a token would be useless; empty if
 * one may.
 * @param mayReturn paused by a drain, and unpaused by a rollback
 */
export function whyRegistrationFails(
  registration: Pick<Registration, 'paused'> | undefined,
  { registration: word, paused }: RegistryTerms,
  mayReturn = false,
): string {
  if (registration === undefined) return `it has no ${word}`;
  return registration.paused && !mayReturn ? `its ${word} is ${paused}` : '';
}
