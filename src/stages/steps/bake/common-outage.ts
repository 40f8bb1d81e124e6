import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { listHosts } from '../../observe/observe.ts';

/**
 * Returns the targets of `healthcheck.reach` that the hosts of neither shard reach, so the new
 * shard is not the cause. Hosts also show this for a drained shard without jobs. Undefined if no
 * such target exists or is known.
 */
export async function findSharedOutage(
  context: StageContext,
  candidate: Shard,
  retiring: Shard,
): Promise<string | undefined> {
  const { reach, evidence } = context.settings.healthcheck;
  if (reach.length === 0 || evidence.reachability === 'off') return undefined;
  const ofCandidate = await unreachedBy(context, candidate);
  if (ofCandidate.size === 0) return undefined;
  const ofRetiring = await unreachedBy(context, retiring);
  const shared = [...ofCandidate].filter((target) => ofRetiring.has(target));
  return shared.length === 0
    ? undefined
    : `the hosts of ${candidate} and of ${retiring} do not reach ${shared.join(', ')}`;
}

async function unreachedBy(context: StageContext, shard: Shard): Promise<ReadonlySet<string>> {
  const { ports, settings } = context;
  const unreached = new Set<string>();
  try {
    const hosts = await listHosts(context, shard);
    if ('unknown' in hosts) return unreached;
    for (const { id, agent } of hosts) {
      if (agent !== 'online') continue;
      const answers = await ports.host.reach(id, settings.healthcheck.reach);
      for (const { kind, target } of answers) if (kind === 'refused') unreached.add(target);
    }
  } catch (error) {
    // A host that cannot be queried does not excuse the new shard.
    if (!isPortFailure(error)) throw error;
  }
  return unreached;
}
