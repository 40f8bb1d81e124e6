import { shardEntry } from '../../domain/deployment/record.ts';
import type { OtherRunner } from '../../domain/drain/foreign-runner.ts';
import { inParallel } from '../context/parallel.ts';
import type { ShardSources } from './shard-sources.ts';

/** Where each worker is registered by itself, the description is of all of them. */
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
