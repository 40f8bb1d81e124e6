import { shardEntry } from '../../domain/deployment/record.ts';
import type { OtherRunner } from '../../domain/drain/foreign-runner.ts';
import { inParallel } from '../context/parallel.ts';
import type { SharedLook } from './shard-look.ts';

/** Where each worker is registered by itself, the description is of all of them. */
export async function findOthers(look: SharedLook): Promise<readonly OtherRunner[]> {
  const { ports, journal } = look.context;
  if (ports.registry.traits.registrationsPer === 'worker') return [];
  const { registration: own } = shardEntry(journal.current(), look.shard);
  return inParallel(await look.others(own), async ({ id, paused, contacted, execution }) => ({
    id,
    open: !paused && contacted,
    execution,
    jobs: await look.jobs(id),
  }));
}
