import { allBeginnings } from '../beginnings/beginnings.ts';
import { isTroubled } from '../continuation.ts';
import type { Checked } from './checked.ts';
import type { Failure, LayerReport, LayerRequest } from './layers.ts';

/**
 * Applies the independent checker to a sample of the schedules with one fault, from every
 * beginning.
 */
export async function checkedSchedules(
  { workers, print }: LayerRequest,
  { oneIn }: { oneIn: number },
): Promise<LayerReport> {
  const startedAt = performance.now();
  const failures: Failure[] = [];
  const decided = new Map<string, number>();
  let [schedules, outOf] = [0, 0];
  await Promise.all(
    // In troubled beginnings, the final state belongs to another deployment.
    allBeginnings()
      .filter((one) => !isTroubled({ beginning: one }))
      .map(async (beginning) => {
        const checked = (await workers.work({ kind: 'check', beginning, oneIn })) as Checked;
        schedules += checked.schedules;
        outOf += checked.outOf;
        for (const [invariant, count] of Object.entries(checked.decided))
          decided.set(invariant, (decided.get(invariant) ?? 0) + count);
        for (const { scenario, found } of checked.failures) {
          print(`… ${scenario}: ${found[0]}`);
          const again = `npm run simulate -- --checked 1 --scenario '${scenario}'`;
          failures.push({ found: found.join('; '), again });
        }
      }),
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const counts = [...decided].sort(([one], [other]) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  return {
    name: 'the independent checker',
    schedules,
    lines: [
      `schedules checked: ${schedules} of ${outOf} with one fault, chosen by their hash, in ${seconds}s`,
      `decided and held, in so many: ${counts.map(([invariant, count]) => `${invariant} ${count}`).join(', ')}`,
    ],
    failures,
  };
}
