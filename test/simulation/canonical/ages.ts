import type { World } from '../../fakes/world/world.ts';

const evidenceMaxAgeMs = 1_800_000;

/**
 * Returns the class of an evidence's age. Evidence counts for half an hour. If it is younger than a
 * third of that, it also counts in the next run.
 */
export function freshness(world: World, at: string): string {
  const ms = world.now - Date.parse(at);
  if (ms < 0) return ms < -evidenceMaxAgeMs ? 'of a later day' : 'of a later hour';
  if (ms < evidenceMaxAgeMs / 3) return 'fresh';
  return ms < evidenceMaxAgeMs ? 'ageing' : 'old';
}

/** Decides whether a machine of the shard started after that time. */
export function hasBornSince({ hosts }: World, shard: string, at: string): boolean {
  return Object.values(hosts).some(
    (one) => one.state === 'running' && one.shard === shard && one.createdAt > Date.parse(at),
  );
}
