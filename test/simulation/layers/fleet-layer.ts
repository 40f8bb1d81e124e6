import type { FleetRollouts } from './fleets.ts';
import type { Failure, LayerReport, LayerRequest } from './layers.ts';

const share = 250;

/** Plays rollouts of GitHub's runners with random faults on all workers. */
export async function fleetRollouts(
  { workers, print }: LayerRequest,
  { from, rollouts }: { from: number; rollouts: number },
): Promise<LayerReport> {
  const startedAt = performance.now();
  const starts = Array.from(
    { length: Math.ceil(rollouts / share) },
    (_, index) => from + index * share,
  );
  const failures: Failure[] = [];
  let struck = 0;
  await Promise.all(
    starts.map(async (start) => {
      const count = Math.min(share, from + rollouts - start);
      const answer = await workers.work({ kind: 'fleets', from: start, count });
      const { struck: hit, failures: found } = answer as FleetRollouts;
      struck += hit;
      for (const { seed, found: lines } of found) {
        const again = `npm run simulate -- --fleets 1 --from ${seed}`;
        failures.push({ found: lines.join('; '), again });
      }
    }),
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (failures.length > 0) print(`${failures.length} rollouts of a fleet went wrong`);
  return {
    name: "fleets of GitHub's runners",
    schedules: rollouts,
    lines: [`rollouts: ${rollouts}, faults that struck: ${struck}, in ${seconds}s`],
    failures,
  };
}
