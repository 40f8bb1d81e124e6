import { shardEntry } from '../../domain/deployment/record.ts';
import type { OtherRunner } from '../../domain/drain/foreign-runner.ts';
import { inParallel } from '../context/parallel.ts';
import type { ShardSources } from './shard-sources.ts';

/**
 * Finds other runners with the shard's description. If each worker registers a runner, all of them
 * share this description, and the list is empty.
 */
export async function findOthers(sources: ShardSources): Promise<readonly OtherRunner[]> {
  const { ports, journal } = sources.context;
  if (ports.registry.traits.registrationsPer === 'worker') return [];
  const { registration: own } = shardEntry(journal.current(), sources.shard);
  return inParallel(await sources.others(own), async ({ id, paused, contacted, execution }) => ({
    id,
    open: !paused && contacted,
    execution,
    jobs: await sources.jobs(id),
  }));
}
