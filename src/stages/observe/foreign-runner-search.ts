import { shardEntry } from '../../domain/deployment/record.ts';
import type { OtherRunner } from '../../domain/drain/foreign-runner.ts';
import type { Shard } from '../../domain/shard.ts';
import type { StageContext } from '../context/context.ts';
import { inParallel } from '../context/parallel.ts';

/** Where each worker is registered by itself, the description is of all of them. */
export async function findOthers(
  { ports, settings, journal }: StageContext,
  shard: Shard,
): Promise<readonly OtherRunner[]> {
  const { registry } = ports;
  if (registry.traits.registrationsPer === 'worker') return [];
  const { registration: own } = shardEntry(journal.current(), shard);
  const found = await registry.findByShard({ runnerName: settings.runnerName, shard }, own);
  return inParallel(found, async ({ id, paused, contacted, execution }) => {
    const jobs = await registry.listJobs(id);
    const listed = jobs.kind === 'found' ? jobs.value : [];
    return { id, open: !paused && contacted, execution, jobs: listed };
  });
}
