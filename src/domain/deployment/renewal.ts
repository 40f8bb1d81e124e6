import type { Registration } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { Shard } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import { type DeploymentRecord, shardEntry } from './record.ts';
import { isBefore, isReturnable } from './stages-and-steps.ts';

/** GitHub's: https://docs.github.com/rest/actions/self-hosted-runners */
export const tokenLifeMs = 3_600_000;

/**
 * Whose hosts may have to register: who serves, who is being brought up, and who retires as long as a
 * rollback goes back to it, although its intake is closed meanwhile.
 */
export function registeringShards(
  status: Status,
  record: DeploymentRecord | undefined,
): { readonly open: readonly Shard[]; readonly closed: readonly Shard[] } {
  const serving = status.kind === 'known' ? [status.active] : [];
  const { phase, candidate, retiring } = record?.deployment ?? {};
  const rises =
    phase !== undefined &&
    phase !== 'retreating' &&
    !isBefore(phase, 'onboarded') &&
    isBefore(phase, 'promoted');
  const open = [...new Set([...serving, ...(rises && candidate !== undefined ? [candidate] : [])])];
  const mayReturn =
    record !== undefined &&
    retiring !== undefined &&
    !open.includes(retiring) &&
    isReturnable(record.deployment.phase) &&
    shardEntry(record, retiring).removal === undefined;
  return { open, closed: mayReturn ? [retiring] : [] };
}

/**
 * Why no host of the shard may register, so that a token would be good for nothing; empty if one may.
 * @param mayReturn closed by a drain, and opened again by a rollback
 */
export function whyRegistrationFails(
  registration: Pick<Registration, 'paused'> | undefined,
  { registration: word, paused }: RegistryTerms,
  mayReturn = false,
): string {
  if (registration === undefined) return `it has no ${word}`;
  return registration.paused && !mayReturn ? `its ${word} is ${paused}` : '';
}
