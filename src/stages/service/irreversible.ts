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
import { listRecoveries, lost } from './recovery-by-force.ts';
import { warnOfForeignRegistration } from './registration-ownership.ts';
import { failWhereUnread, proveService, unknownForMs } from './service-proof.ts';

interface Removal {
  readonly act: PartEvidence['act'];
  readonly shard: Shard;
  /** Runner as the caller has read it. It can only prove that the shard is in use. */
  readonly known?: Registration | undefined;
}

/**
 * Returns the ports for irreversible methods. Right before each use it checks the removal rules,
 * which require that the other shard is verified now.
 * `look` is a further check before the effect; if it takes long, the proof is renewed.
 */
export async function irreversible(
  context: StageContext,
  { check, ...removal }: Removal & { readonly check?: () => Promise<void> },
): Promise<Ports> {
  const proof = await proveRemovable(context, removal);
  await check?.();
  // The proof may take minutes, in which other actors may have changed the stack.
  await gate(context, removal.shard, proof);
  return unbarred(context);
}

/**
 * Checks the removal rules. Also needed before a shard leaves production: it may be the only one
 * that accepts jobs.
 */
export async function proveRemovable(context: StageContext, removal: Removal): Promise<Proof> {
  const prove = () =>
    withGuardEvent(context, 'active_shard', () => requireRemovable(context, removal));
  return createProof(context, removal.shard, { first: await prove(), read: prove });
}

/** Renews a token only if the old tokens stay valid, which removes nothing. */
export async function renewToken(
  context: StageContext,
  id: RegistrationId,
): Promise<{ token: string }> {
  if (context.ports.registry.traits.tokens !== 'expiring')
    throw new Error('a new token would invalidate the token in use');
  return untilAccepted(context, () => unbarred(context).registry.resetToken(id));
}

function unbarred({ ports }: StageContext): Ports {
  return ports as Ports;
}

/** Rejects a removal that the rules forbid; returns the time of the observations that allow it. */
async function requireRemovable(context: StageContext, removal: Removal): Promise<Timestamps> {
  const { settings, stage } = context;
  const { shard, known } = removal;
  const { runnerName: runner } = settings;
  const openedAt = readTimestamps(context);
  const registrations: Registration[] = known === undefined ? [] : [known];
  const use = await findUse(context, shard, registrations);
  const { forceWhenNoneAccepts } = context;
  const snapshot = {
    ...{ ...removal, record: context.journal.current(), words: wordsOf(context), settings },
    ...{ registrations, use, other: undefined, forceWhenNoneAccepts },
  };
  const verdict = mayRemove(snapshot);
  if (verdict.may) {
    if (use !== undefined && forceWhenNoneAccepts) warnOnce(context, verdict.reason);
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

/** Returns the end of the wait that the drain has already begun for a proof of the other shard. */
function keptPausedUntil({ memory }: StageContext, other: Shard): number | undefined {
  const since = memory.watches.get(other)?.unprovenSince;
  return since === undefined ? undefined : since + unknownForMs;
}

/**
 * Returns a use that customers would lose; undefined for a shard in quarantine without a customer
 * job. A production tag counts, present or noted, even on a paused runner, because hosted-runner
 * may reopen it. One use is enough: the recorded runner is read first, without the list.
 * @param registrations runners that are already known; further ones are added
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
    ? `${shard} had production ${words.tags} before its retreat and can get them again`
    : undefined;
}
