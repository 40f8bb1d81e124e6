import { isTwin } from '../../../domain/deployment/onboarding.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { ensure } from '../../effects/effect-gate.ts';
import { irreversible } from '../../service/irreversible.ts';

/** Marks runners with a manager as contacted, even if the registry does not report a contact. */
export async function withManagers(
  { ports }: StageContext,
  registrations: readonly Registration[],
): Promise<readonly Registration[]> {
  const isUsed = async ({ id }: Registration) => {
    const workers = await ports.registry.listWorkers(id);
    return workers.kind === 'found' && workers.value.length > 0;
  };
  return Promise.all(
    registrations.map(async (one) => ({ ...one, contacted: one.contacted || (await isUsed(one)) })),
  );
}

export async function removeDuplicate(
  context: StageContext,
  shard: Shard,
  duplicate: Registration,
): Promise<void> {
  const { registry } = context.ports;
  await ensure(context, {
    what: `Removed ${wordsOf(context).registration} ${duplicate.id}, a duplicate that no ${wordsOf(context).manager} ever contacted`,
    shard,
    isDone: async () => (await registry.find(duplicate.id)).kind === 'absent',
    act: async () =>
      (await irreversible(context, { act: 'change', shard })).registry.retire(duplicate.id),
  });
}

/**
 * Removes duplicates: a creation request that arrived twice or late has created two runners, and
 * only one is recorded.
 */
export async function removeTwins(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<void> {
  const { registry } = context.ports;
  const { runnerName } = context.settings;
  for (const one of await registry.findByShard({ runnerName, shard }, id))
    if (isTwin(one)) await removeDuplicate(context, shard, one);
}
