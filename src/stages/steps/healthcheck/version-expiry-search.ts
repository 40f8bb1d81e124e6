import {
  judgeVersionExpiry,
  type VersionExpiryVerdict,
} from '../../../domain/health/version-expiry.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Worker } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';

export type KnownVersionExpiry = Exclude<VersionExpiryVerdict, { kind: 'fine' }>;

/** Lists versions whose support ends within weeks. A version without a known end is ignored. */
export async function findVersionExpiries(
  context: Pick<StageContext, 'ports'>,
  workers: readonly Pick<Worker, 'version'>[],
): Promise<readonly KnownVersionExpiry[]> {
  const { registry, clock } = context.ports;
  const { words, registrationsPer } = registry.traits;
  // GitLab accepts a runner of any version.
  if (registrationsPer === 'shard') return [];
  const found: KnownVersionExpiry[] = [];
  const versions = new Set(workers.map(({ version }) => version).filter((one) => one !== ''));
  for (const version of versions) {
    const ending = await registry.readEnding(version);
    const verdict = judgeVersionExpiry({ version, ending, nowMs: clock.now(), words });
    if (verdict.kind !== 'fine') found.push(verdict);
  }
  return found;
}

/** Lists the expiring versions of the workers of this runner. */
export async function findVersionExpiriesOf(
  context: Pick<StageContext, 'ports'>,
  id: RegistrationId,
): Promise<readonly KnownVersionExpiry[]> {
  const { registry } = context.ports;
  if (registry.traits.registrationsPer === 'shard') return [];
  const found = await registry.listWorkers(id);
  return found.kind === 'absent' ? [] : findVersionExpiries(context, found.value);
}
