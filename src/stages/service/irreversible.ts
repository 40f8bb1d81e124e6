import { takesCustomerJobs } from '../../domain/deployment/guards/tags.ts';
import { otherShard, type RegistrationId, type Shard } from '../../domain/shard.ts';
import { serviceUnproven } from '../../errors/service.ts';
import type { Ports } from '../../ports/ports.ts';
import { customersAmong } from '../health/own-canaries.ts';
import { findRegistrations } from '../observe/observe.ts';
import { leaveOpen, takenBackFromCustomers } from '../switch/reopen.ts';
import { findWayBack } from '../switch/way-back.ts';
import { ofShard, type StageContext, warnOnce, wordsOf } from '../walk/context.ts';
import { gate, type Proof } from '../walk/effect.ts';
import { guarded } from '../walk/guarded.ts';
import { isLeftToActivate, isWayOutOpen } from './nothing-serves.ts';
import { lost } from './service-keeper.ts';
import { failWhereUnread, proveService, unknownForMs } from './service-proof.ts';
import { watchService } from './service-watch.ts';
import { type Moment, momentOf, prove } from './standing-proof.ts';

/**
 * The only way to what no call of ours takes back, for an effect on `shard`. What can still serve is
 * not taken away unless the other shard is proven to serve now; asked right before each such effect.
 * @param look what else has to be seen before it; it may take its time, and the proof is made anew then
 */
export async function irreversible(
  context: StageContext,
  shard: Shard,
  look: () => Promise<void> = async () => {},
): Promise<Ports> {
  const proof = await onlyIfOtherServes(context, shard);
  await look();
  // The proof asks a lot and may take minutes, in which somebody may have acted.
  await gate(context, shard, proof);
  return unbarred(context);
}

/** Asked before customers' jobs are kept from a shard, too: it may be all that takes them. */
export async function onlyIfOtherServes(context: StageContext, shard: Shard): Promise<Proof> {
  return prove(context, shard, () =>
    guarded(context, 'active_shard', () => refuseUnlessOtherServes(context, shard)),
  );
}

/** Where a new token ends none of the old ones, nothing is taken away. */
export async function renewToken(
  context: StageContext,
  id: RegistrationId,
): Promise<{ token: string }> {
  if (context.ports.registry.traits.tokens !== 'expiring')
    throw new Error('a new token would end the one that is in use');
  return unbarred(context).registry.resetToken(id);
}

function unbarred({ ports }: StageContext): Ports {
  return ports as Ports;
}

/** Answers when what lets it go on was looked at. */
async function refuseUnlessOtherServes(context: StageContext, shard: Shard): Promise<Moment> {
  const { settings } = context;
  const beganAt = momentOf(context);
  const use = await findUse(context, shard);
  if (use === undefined) return beganAt;
  if (context.although === 'nothing_serves') {
    warnOnce(context, `Going on although no shard is proven to serve: ${use}.`);
    return beganAt;
  }
  const other = otherShard(settings.shards, shard);
  const watch = watchService(context, other);
  const service = await proveService(context, other, watch, keptClosedUntil(context, other));
  if (service.kind === 'proven') return watch.lookedAt() ?? beganAt;
  if ((await leaveOpen(context, shard, service)) === 'opened')
    throw await lost(context, { drained: shard, other, service, opened: true });
  await failWhereUnread(context, other, service);
  throw serviceUnproven({
    runner: settings.runnerName,
    stage: context.stage,
    ...{ shard, other, use, service },
    back: await findWayBack(context, shard),
    wayOut: await isWayOutOpen(context, shard, service),
    opens: await isLeftToActivate(context, shard),
  });
}

/** Whoever kept the shard closed has waited for a proof of the other one already. */
function keptClosedUntil({ watches }: StageContext, other: Shard): number | undefined {
  const since = watches?.get(other)?.unprovenSince;
  return since === undefined ? undefined : since + unknownForMs;
}

/**
 * What a customer would lose; undefined for a shard in quarantine on which no customer's job runs. A
 * production tag is enough, of today or of its day, paused or not: it is ours to open again.
 */
async function findUse(context: StageContext, shard: Shard): Promise<string | undefined> {
  const { ports } = context;
  const words = wordsOf(context);
  for (const registration of await findRegistrations(context, shard)) {
    const { id } = registration;
    if (takesCustomerJobs(registration, ofShard(context, shard)))
      return `${words.registration} ${id} of ${shard} has production ${words.tags}`;
    const jobs = await ports.registry.listJobs(id);
    const [job] = jobs.kind === 'found' ? await customersAmong(context, jobs.value) : [];
    if (job !== undefined) return `job ${job.id} "${job.name}" is ${job.status} on ${shard}`;
  }
  if (takenBackFromCustomers(context) === shard)
    return `${shard} had production ${words.tags} until it was taken back, and can be given them again`;
  return undefined;
}
