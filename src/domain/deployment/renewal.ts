import type { Registration } from '../registration.ts';
import type { RegistryWords } from '../registry-words.ts';
import type { Shard } from '../shard.ts';
import type { DeploymentRecord } from './record.ts';
import { isBefore } from './stages-and-steps.ts';
import type { Status } from './status.ts';

/** GitHub's: https://docs.github.com/rest/actions/self-hosted-runners */
export const tokenLifeMs = 3_600_000;

/** Whose hosts may have to register: who serves, and who is being brought up. Never who retires. */
export function shardsThatRegister(
  status: Status,
  record: DeploymentRecord | undefined,
): readonly Shard[] {
  const serving = status.kind === 'known' ? [status.active] : [];
  const { phase, candidate } = record?.deployment ?? {};
  const rises =
    phase !== undefined &&
    phase !== 'retreating' &&
    !isBefore(phase, 'onboarded') &&
    isBefore(phase, 'promoted');
  return [...new Set([...serving, ...(rises && candidate !== undefined ? [candidate] : [])])];
}

/** Why no host of the shard may register, so that a token would be good for nothing; empty if one may. */
export function whyNobodyRegisters(
  registration: Pick<Registration, 'paused'> | undefined,
  { registration: word, paused }: RegistryWords,
): string {
  if (registration === undefined) return `it has no ${word}`;
  return registration.paused ? `its ${word} is ${paused}` : '';
}
