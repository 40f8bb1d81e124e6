import { mayRemove } from '../../domain/deployment/guards/removal-rules.ts';
import type { PartEvidence } from '../../domain/deployment/guards/removal-snapshot.ts';
import { takesCustomerJobs } from '../../domain/deployment/guards/runner-tags.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import { otherShard, type RegistrationId, type Shard } from '../../domain/shard.ts';
import { serviceUnproven } from '../../errors/service-errors.ts';
import { cleanupRefused } from '../../errors/shard-errors.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registration } from '../../ports/registry.ts';
import { ofShard, recordOf, type StageContext, warnOnce, wordsOf } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { readTimestamps, type Timestamps } from '../context/timestamps.ts';
import { gate, type Proof, untilAccepted } from '../effects/effect-gate.ts';
import { reopenIntake, retreatingCandidate } from '../effects/reopen.ts';
import { customersAmong } from '../observe/canary-ownership.ts';
import { findRegistration } from '../observe/observe.ts';
import { watchOfRun } from '../observe/shard/service-watch.ts';
import { createProof } from './proof.ts';
import { listRecoveries, lost } from './recovery-when-none-serves.ts';
import { warnOfForeignRegistration } from './registration-ownership.ts';
import { failWhereUnread, proveService, unknownForMs } from './service-proof.ts';

interface Removal {
  readonly act: PartEvidence['act'];
  readonly shard: Shard;
  /** The shard's registration as the caller has read it. It can only show that the shard is in use. */
  readonly known?: Registration | undefined;
}

/**
 * The only way to what no call of ours takes back: right before each such effect the rules of removal are checked,
 * among them that the other shard serves now.
 * @param look what else has to be seen before it; it may take its time, and the proof is made anew then
 */
export async function irreversible(
  context: StageContext,
  { look, ...removal }: Removal & { readonly look?: () => Promise<void> },
): Promise<Ports> {
  const proof = await onlyIfOtherServes(context, removal);
  await look?.();
  // The proof asks a lot and may take minutes, in which somebody may have acted.
  await gate(context, removal.shard, proof);
  return unbarred(context);
}

/** Asked before customers' jobs are kept from a shard, too: it may be all that takes them. */
export async function onlyIfOtherServes(context: StageContext, removal: Removal): Promise<Proof> {
  const ask = () =>
    withGuardEvent(context, 'active_shard', () => requireRemovable(context, removal));
  return createProof(context, removal.shard, { first: await ask(), ask });
}

/** Where a new token ends none of the old ones, nothing is taken away. */
export async function renewToken(
  context: StageContext,
  id: RegistrationId,
): Promise<{ token: string }> {
  if (context.ports.registry.traits.tokens !== 'expiring')
    throw new Error('a new token would end the one that is in use');
  return untilAccepted(context, () => unbarred(context).registry.resetToken(id));
}

function unbarred({ ports }: StageContext): Ports {
  return ports as Ports;
}

/** Answers when what lets it go on was looked at. */
async function requireRemovable(context: StageContext, removal: Removal): Promise<Timestamps> {
  const { settings, stage } = context;
  const { shard, known } = removal;
  const { runnerName: runner } = settings;
  const openedAt = readTimestamps(context);
  const registrations: Registration[] = known === undefined ? [] : [known];
  const use = await findUse(context, shard, registrations);
  const { forceWhenNothingServes } = context;
  const snapshot = {
    ...{ ...removal, record: context.journal.current(), words: wordsOf(context), settings },
    ...{ registrations, use, other: undefined, forceWhenNothingServes },
  };
  const verdict = mayRemove(snapshot);
  if (verdict.may) {
    if (use !== undefined && forceWhenNothingServes) warnOnce(context, verdict.reason);
    return openedAt;
  }
  const { rule, reason } = verdict;
  if (rule === 'owner') throw await warnOfForeignRegistration(context, reason);
  if (rule !== 'other_serves') throw cleanupRefused({ runner, shard, reason });
  const other = otherShard(settings.shards, shard);
  const watch = watchOfRun(context, other);
  const service = await proveService(context, other, watch, keptPausedUntil(context, other));
  if (mayRemove({ ...snapshot, other: service }).may || service.kind === 'proven')
    return watch.checkedAt() ?? openedAt;
  if ((await reopenIntake(context, shard, service)) === 'opened')
    throw await lost(context, { drained: shard, other, service, opened: true });
  await failWhereUnread(context, other, service);
  const ways = await listRecoveries(context, shard, service);
  throw serviceUnproven({ runner, stage, shard, other, use: reason, service, ...ways });
}

/** Whoever kept the shard closed has waited for a proof of the other one already. */
function keptPausedUntil({ memory }: StageContext, other: Shard): number | undefined {
  const since = memory.watches.get(other)?.unprovenSince;
  return since === undefined ? undefined : since + unknownForMs;
}

/**
 * What a customer would lose; undefined for a shard in quarantine on which no customer's job runs. A
 * production tag is enough, of today or of its day, paused or not: it is ours to open again. One use is enough:
 * the recorded registration, which mostly has it, is read without the list.
 * @param registrations those that are known already; what is read is added
 */
async function findUse(
  context: StageContext,
  shard: Shard,
  registrations: Registration[],
): Promise<string | undefined> {
  const { ports, settings } = context;
  const words = wordsOf(context);
  const findTags = (one: Registration) =>
    takesCustomerJobs(one, ofShard(context, shard))
      ? `${words.registration} ${one.id} of ${shard} has production ${words.tags}`
      : undefined;
  const findUseOf = async (registration: Registration) => {
    const { id } = registration;
    registrations.push(registration);
    const tagged = findTags(registration);
    if (tagged !== undefined) return tagged;
    const jobs = await ports.registry.listJobs(id);
    const [job] = jobs.kind === 'found' ? await customersAmong(context, jobs.value) : [];
    return job && `job ${job.id} "${job.name}" is ${job.status} on ${shard}`;
  };
  const tagged = registrations[0] && findTags(registrations[0]);
  if (tagged !== undefined) return tagged;
  const { registration: recorded } = shardEntry(recordOf(context), shard);
  const isGone = recorded === undefined || context.memory.removed.has(recorded);
  const own = isGone ? undefined : await findRegistration(context, recorded);
  const use = own && (await findUseOf(own));
  if (use !== undefined) return use;
  const place = { runnerName: settings.runnerName, shard };
  for (const other of await ports.registry.findByShard(place, own?.id)) {
    const found = await findUseOf(other);
    if (found !== undefined) return found;
  }
  return retreatingCandidate(context) === shard
    ? `${shard} had production ${words.tags} until it was taken back, and can be given them again`
    : undefined;
}
