import type { PlannedBuild } from '../../../src/domain/fingerprint/fingerprint.ts';
import type { InfrastructureState, World } from '../world/world.ts';

/** A revision is another image; only a plan for nothing builds all of it. */
export function buildsOf(
  { behaviour }: World,
  state: InfrastructureState | undefined,
): PlannedBuild {
  const images = `ami-${behaviour.revision}`;
  return state === undefined ? { images, plan: `plan of ${images}` } : { images };
}
