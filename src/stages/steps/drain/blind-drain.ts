import { isEndable } from '../../../domain/instance.ts';
import type { Shard } from '../../../domain/shard.ts';
import { drainBlind } from '../../../errors/drain-errors.ts';
import type { StageContext } from '../../context/context.ts';
import { listInstances } from '../../observe/host-ends.ts';
import { openShardSources } from '../../observe/shard-sources.ts';

/** Creates the error of a drain that no source can confirm, with the instances to terminate. */
export async function warnOfBlindDrain(
  context: StageContext,
  shard: Shard,
  seen: { readonly reason: string; readonly registrationGone: boolean },
) {
  const { settings, stage } = context;
  const { runnerName: runner } = settings;
  const readsHosts = settings.host.access !== 'none';
  const listed = readsHosts ? await listInstances(openShardSources(context, shard)) : [];
  const instances = (listed ?? []).filter(isEndable).map(({ id }) => id);
  return drainBlind({ runner, shard, stage, ...seen, readsHosts, instances });
}
