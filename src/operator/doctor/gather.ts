import type { LockOwner } from '../../domain/deployment/lock/lock-verdict.ts';
import type { OwnerState } from '../../domain/deployment/lock/owner-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import {
  answerOf,
  type BrokenRecord,
  type HeldLockFacts,
  type Read,
  type ShardFacts,
  type StackFacts,
} from '../../domain/doctor/stack-facts.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { readOwner } from '../../stages/context/deployment-owner.ts';
import { allSettledOrThrow, inParallel } from '../../stages/context/parallel.ts';
import { findCanaries } from '../../stages/observe/canary-ownership.ts';
import { readStatus } from '../../stages/observe/observe.ts';
import { checkService, checkServiceOnce } from '../../stages/observe/shard/service-watch.ts';
import { readHold } from '../../stages/record/hold-parameter.ts';
import { readLockWord } from '../../stages/record/lock/lock-word.ts';
import { createMutex } from '../../stages/record/mutex.ts';
import { judgeLockOwner } from '../lock-owner.ts';
import { memoizeReads, serializeReads } from '../snapshot-ports.ts';
import { readFact } from './fact-read.ts';
import { gatherShard } from './gather-shard.ts';

/**
 * Asks every source once, changes nothing, and takes no silence for an answer. `atOnce`: for whom an
 * answer at once is worth more than the youngest proof of who serves.
 */
export async function gatherStackFacts(
  asked: StageContext,
  { atOnce = false, hostsWithinMs }: { atOnce?: boolean; hostsWithinMs?: number | undefined } = {},
): Promise<StackFacts> {
  const context = memoizeReads(asked, { hostsWithinMs });
  const { settings, run, ports, names } = context;
  const [record, status, hold, lock] = await allSettledOrThrow(
    () => readRecord(context),
    () => readFact(() => readStatus(context)),
    () => readFact(() => readHold(ports.parameters, names.hold)),
    () => readFact(() => askLock(context)),
  );
  const known = record.kind === 'read' && record.value !== undefined ? record.value : undefined;
  const legible = known === undefined || 'kind' in known ? undefined : known;
  const building = createMutex();
  const [owner, shards] = await allSettledOrThrow(
    () => askOwner(context, legible),
    () =>
      inParallel(settings.shards, (shard) =>
        gatherShard(context, shard, {
          record: legible,
          building,
          service: () => askService(serializeReads(context, building), shard, atOnce),
        }),
      ),
  );
  return {
    settings,
    words: ports.registry.traits.words,
    registrationsPer: ports.registry.traits.registrationsPer,
    status,
    record,
    hold,
    lock,
    ...(owner === undefined ? {} : { owner }),
    ...(run.ownRegistrationId === undefined ? {} : { ownRegistration: run.ownRegistrationId }),
    shards,
    canaries: await canariesAmong(context, shards),
  };
}

async function askService(context: StageContext, shard: Shard, atOnce: boolean): Promise<Service> {
  const judge = atOnce ? checkServiceOnce : checkService;
  const asked = await readFact(() => judge(context, shard));
  if (asked.kind === 'read') return asked.value;
  const { source, reason } = asked.trouble;
  const { registry } = context.ports.registry.traits.words;
  return {
    kind: 'unknown',
    reason: `${source}: ${reason}`,
    missing: `the word of ${registry}`,
    open: false,
    against: false,
  };
}

/** Nothing is asked where no job runs. */
async function canariesAmong(
  context: StageContext,
  shards: readonly ShardFacts[],
): Promise<readonly string[]> {
  const listed = shards.flatMap(({ registrations }) => answerOf(registrations) ?? []);
  const jobs = listed.flatMap((one) => answerOf(one.jobs) ?? []);
  return jobs.length === 0 ? [] : [...(await findCanaries(context))];
}

async function readRecord(
  context: StageContext,
): Promise<Read<DeploymentRecord | undefined | BrokenRecord>> {
  return readFact(async () => {
    try {
      return await context.journal.read();
    } catch (error) {
      if (!isDeployError(error)) throw error;
      if (error.code === 'RecordFromNewerVersion')
        return { kind: 'newer' as const, reason: error.message };
      if (error.code === 'RecordInvalid')
        return { kind: 'invalid' as const, reason: error.message };
      throw error;
    }
  });
}

async function askLock(
  context: StageContext,
): Promise<(HeldLockFacts & { owner?: LockOwner }) | undefined> {
  const word = await readLockWord(context);
  if (word.kind === 'free') return undefined;
  if (word.kind === 'illegible') return word;
  const { owner } = word;
  return { ...(await judgeLockOwner(context, owner)), owner };
}

async function askOwner(
  context: StageContext,
  record: DeploymentRecord | undefined,
): Promise<Read<OwnerState> | undefined> {
  if (record === undefined || record.deployment.phase === 'done') return undefined;
  // Our own pipeline is no other one that is at it.
  if (record.deployment.id === context.run.deploymentId) return undefined;
  return readFact(() => readOwner(context, record));
}
