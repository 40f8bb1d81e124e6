import type { DeploymentRecord } from '../domain/deployment/record.ts';
import {
  answerOf,
  type BrokenRecord,
  type ObservedLock,
  type ShardSnapshot,
  type StackSnapshot,
  type StoredState,
} from '../domain/doctor/stack-facts.ts';
import type { Shard } from '../domain/shard.ts';
import { isDeployError } from '../errors/deploy-error.ts';
import type { StageContext } from '../stages/context/context.ts';
import { allSettledOrThrow, inParallel } from '../stages/context/parallel.ts';
import { findCanaries } from '../stages/observe/canary-ownership.ts';
import { readStatusOnce } from '../stages/observe/observe.ts';
import { openShardSources, type ShardSources } from '../stages/observe/shard-sources.ts';
import { readHold } from '../stages/record/hold-parameter.ts';
import { readLockHolding } from '../stages/record/lock/lock-holding.ts';
import { createMutex, type Mutex } from '../stages/record/mutex.ts';
import { readFact } from './fact-read.ts';
import { judgeLockOwner } from './lock-status.ts';
import { readShardSnapshot } from './shard-reading.ts';

/**
 * Host timeout for reports. A hanging host responds no more after this time. Destructive commands
 * wait longer (105 s).
 */
export const hostTimeoutMs = 20_000;

/** Reads the stored state of a stack from Parameter Store, before any other system is queried. */
export async function readStoredState(context: StageContext): Promise<StoredState> {
  const { ports, names } = context;
  const [record, reading, lock, hold] = await allSettledOrThrow(
    () => readFact(context, () => readRecord(context)),
    () => readFact(context, () => readStatusOnce(context)),
    () => readFact(context, () => readLock(context)),
    () => readFact(context, () => readHold(ports.parameters, names.hold)),
  );
  if (reading.kind === 'unknown') return { record, status: reading, lock, hold };
  const { status, modifiedAt } = reading.value;
  const statusSince = modifiedAt === undefined ? {} : { statusSince: modifiedAt };
  return { record, status: { ...reading, value: status }, ...statusSince, lock, hold };
}

interface Reading<More> {
  /** Prefers a fast answer to the newest proof. */
  readonly atOnce: boolean;
  readonly hostsWithinMs: number | undefined;
  /** Shards whose jobs are distinguished from canaries. */
  readonly watched: readonly Shard[];
  /** Further reads of a shard. `inTurn` serializes Terraform, which works in one folder. */
  more(sources: ShardSources, inTurn: Mutex): Promise<More>;
}

type Shards<More> = Pick<StackSnapshot, 'settings' | 'words' | 'canaries'> & {
  readonly shards: readonly (ShardSnapshot & More)[];
};

/** Reads both shards. Each source is read once, so all parts of the output agree. */
export async function readShards<More>(
  context: StageContext,
  record: DeploymentRecord | undefined,
  { atOnce, hostsWithinMs, watched, more }: Reading<More>,
): Promise<Shards<More>> {
  const { settings, ports } = context;
  const inTurn = createMutex();
  const shards = await inParallel(settings.shards, async (shard) => {
    const sources = openShardSources(context, shard, { hostsWithinMs, inTurn });
    const [seen, others] = await allSettledOrThrow(
      () => readShardSnapshot(sources, record, { atOnce }),
      () => more(sources, inTurn),
    );
    return { ...seen, ...others };
  });
  const jobs = shards
    .filter(({ shard }) => watched.includes(shard))
    .flatMap(({ registrations }) => answerOf(registrations) ?? [])
    .flatMap((one) => answerOf(one.jobs) ?? []);
  // Without running jobs, no request is needed.
  const canaries = jobs.length === 0 ? [] : [...(await findCanaries(context))];
  return { settings, words: ports.registry.traits.words, shards, canaries };
}

async function readRecord({
  journal,
}: StageContext): Promise<DeploymentRecord | BrokenRecord | undefined> {
  try {
    return await journal.read();
  } catch (error) {
    if (!isDeployError(error)) throw error;
    const { code, message: reason } = error;
    if (code === 'RecordFromNewerVersion') return { kind: 'newer', reason, error };
    if (code === 'RecordInvalid') return { kind: 'invalid', reason, error };
    throw error;
  }
}

async function readLock(context: StageContext): Promise<ObservedLock | undefined> {
  const word = await readLockHolding(context);
  if (word.kind === 'free') return undefined;
  if (word.kind === 'illegible') return word;
  const { kind, owner } = word;
  return { kind, owner, verdict: await readFact(context, () => judgeLockOwner(context, owner)) };
}
