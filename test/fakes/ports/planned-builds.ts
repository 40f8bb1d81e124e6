import type { PlannedBuild } from '../../../src/domain/fingerprint/fingerprint.ts';
import type { InfrastructureState, World } from '../world/world.ts';

/**
 * Returns the builds of a plan. A revision is another image. Only a plan for an absent shard builds
 * everything.
 */
export function buildsOf(
  { behaviour }: World,
  state: InfrastructureState | undefined,
): PlannedBuild {
  const images = `ami-${behaviour.revision}`;
  return state === undefined ? { images, plan: `plan of ${images}` } : { images };
}
