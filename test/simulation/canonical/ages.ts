import type { World } from '../../fakes/world/world.ts';

const evidenceMaxAgeMs = 1_800_000;

/** Evidence counts for half an hour; one that is no older than a third of it counts in the next run. */
export function freshness(world: World, at: string): string {
  const ms = world.now - Date.parse(at);
  if (ms < 0) return ms < -evidenceMaxAgeMs ? 'of a later day' : 'of a later hour';
  if (ms < evidenceMaxAgeMs / 3) return 'fresh';
  return ms < evidenceMaxAgeMs ? 'ageing' : 'old';
}

/** Whether a machine of the shard was started after that moment. */
export function hasBornSince({ hosts }: World, shard: string, at: string): boolean {
  return Object.values(hosts).some(
    (one) => one.state === 'running' && one.shard === shard && one.createdAt > Date.parse(at),
  );
}
