import { z } from 'zod';
import {
  brokenWhys,
  type DrainTally,
  type Tally,
  withKeptIds,
} from '../../domain/deployment/tally.ts';

const count = z.number().int().min(0);
const limit = z.object({ ms: count, from: z.string(), by: z.string(), job: z.string() });

// Not strict, unlike the record: another version's counters must not stop a deployment.
const drain = z.object({
  since: z.string(),
  seen: z.array(z.string()),
  seen_beyond: count,
  hidden: z.boolean(),
  settled: z.boolean(),
  broken: z.array(
    z.object({ id: z.string(), why: z.enum(brokenWhys), url: z.string().optional() }),
  ),
  broken_beyond: count,
  longest_wait_ms: count.optional(),
  expected_at: z.string().optional(),
  timeout: limit.optional(),
  force_after: limit.optional(),
});

const shape = z.object({
  two_shards_since: z.string().optional(),
  two_shards_ms: count,
  drain: drain.optional().catch(undefined),
});

/** An unreadable tally counts as unknown. */
export const tallySchema = shape.optional().catch(undefined);

type Stored = z.infer<typeof shape>;
type StoredDrain = z.infer<typeof drain>;

export function storedTally({ twoShardsSince, twoShardsMs, drain }: Tally): Stored {
  return {
    ...(twoShardsSince === undefined ? {} : { two_shards_since: twoShardsSince }),
    two_shards_ms: Math.round(twoShardsMs),
    ...(drain === undefined ? {} : { drain: storedDrain(withKeptIds(drain)) }),
  };
}

function storedDrain(tally: DrainTally): StoredDrain {
  const { seen, broken, longestWaitMs, expectedAt, timeout, forceAfter } = tally;
  return {
    since: tally.since,
    seen: [...seen],
    seen_beyond: tally.seenBeyond,
    hidden: tally.hidden,
    settled: tally.settled,
    broken: broken.map((job) => ({ ...job })),
    broken_beyond: tally.brokenBeyond,
    ...(longestWaitMs === undefined ? {} : { longest_wait_ms: Math.round(longestWaitMs) }),
    ...(expectedAt === undefined ? {} : { expected_at: expectedAt }),
    ...(timeout === undefined ? {} : { timeout: { ...timeout } }),
    ...(forceAfter === undefined ? {} : { force_after: { ...forceAfter } }),
  };
}

export function tallyFromStored(stored: Stored): Tally {
  const { two_shards_since: since, two_shards_ms: twoShardsMs, drain } = stored;
  return {
    ...(since === undefined ? {} : { twoShardsSince: since }),
    twoShardsMs,
    ...(drain === undefined ? {} : { drain: drainFromStored(drain) }),
  };
}

function drainFromStored(stored: StoredDrain): DrainTally {
  const { longest_wait_ms: wait, expected_at: expectedAt, timeout, force_after: force } = stored;
  return {
    since: stored.since,
    seen: stored.seen,
    seenBeyond: stored.seen_beyond,
    hidden: stored.hidden,
    settled: stored.settled,
    broken: stored.broken.map(({ id, why, url }) => ({
      id,
      why,
      ...(url === undefined ? {} : { url }),
    })),
    brokenBeyond: stored.broken_beyond,
    ...(wait === undefined ? {} : { longestWaitMs: wait }),
    ...(expectedAt === undefined ? {} : { expectedAt }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(force === undefined ? {} : { forceAfter: force }),
  };
}
