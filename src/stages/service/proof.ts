import { otherShard, type Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { proofTooOld } from '../../errors/drain-errors.ts';
import { hasStalled, type StageContext } from '../context/context.ts';
import { proofLifetimeMs, readTimestamps, type Timestamps } from '../context/timestamps.ts';
import type { Proof } from '../effects/effect-gate.ts';
import { findRollbackTarget } from './rollback-target.ts';

const mostTimes = 3;

/**
 * Creates the proof for an effect on `shard`. A suspended or delayed run misses changes, so a proof
 * that has become too old is renewed. `first` is the time of the observations behind the present
 * proof. `ask` proves again or throws, and returns the time of its observations.
 */
export function createProof(
  context: StageContext,
  shard: Shard,
  {
    first,
    read: prove,
  }: { first: Timestamps | undefined; read: () => Promise<Timestamps | undefined> },
): Proof {
  let seenAt = first;
  let times = 1;
  return {
    async renewed() {
      if (seenAt === undefined) return false;
      const agoMs = sinceMs(context, seenAt);
      if (agoMs <= proofLifetimeMs) return false;
      const ago = formatDuration(agoMs);
      if (times >= mostTimes) throw await warnOfSlowness(context, shard, { ago, times });
      context.log.act(
        `Checking again whether the other shard accepts jobs: the last check was ${ago} ago, because this run was suspended or its calls had to wait.`,
      );
      times += 1;
      seenAt = await prove();
      return true;
    },
  };
}

function sinceMs(context: StageContext, { elapsed, now }: Timestamps): number {
  const { elapsed: elapsedNow, now: wallNow } = readTimestamps(context);
  return Math.max(elapsedNow - elapsed, wallNow - now);
}

async function warnOfSlowness(
  context: StageContext,
  shard: Shard,
  { ago, times }: { ago: string; times: number },
) {
  const { settings, stage } = context;
  const other = otherShard(settings.shards, shard);
  return proofTooOld({
    runner: settings.runnerName,
    stage,
    ...{ shard, other, ago, times },
    most: formatDuration(proofLifetimeMs),
    isOld: hasStalled(context),
    back: await findRollbackTarget(context, shard),
  });
}
