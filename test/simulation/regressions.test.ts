import { describe, expect, test } from '@jest/globals';
import { parseScenario } from './beginnings/scenario.ts';
import { checkInterleaving, checkSchedules, checkSequence } from './layers/checked.ts';
import { keptFaults, keptSequences, type NamedFault } from './regressions.ts';
import { simulate } from './simulate.ts';

describe('a scenario that failed once', () => {
  test.each(keptSequences)('$shows', async ({ play }) => {
    expect((await checkSequence(play)).found).toEqual([]);
  });

  test.each(keptFaults)('$shows', async ({ play }) => {
    const { run, mode } = play;
    const call = await findCall(play);
    const faults = [{ run, call, mode }];
    const scenario = { ...parseScenario(play.beginning), faults };
    const { struck } = await simulate(scenario);
    const { failures } = await checkSchedules([scenario]);
    expect({ failures, struck }).toEqual({ failures: [], struck: 1 });
  });
});

// Each of these seeds failed once. The program's changes also change a seed's course, and the
// checker must accept each.
test.each([76, 93, 149, 258, 751, 752, 4159, 99_233])(
  'the checker accepts two pipelines, an operator and the runners in the order of seed %i',
  async (seed) => {
    expect((await checkInterleaving(seed, '19.3')).found).toEqual([]);
  },
);

/** Returns the number of the call in its run. The run takes the same course without the fault. */
async function findCall({ beginning, run, call, nth }: NamedFault): Promise<number> {
  const seen: number[] = [];
  await simulate(parseScenario(beginning), {
    onCall({ incarnation, port, method, own }) {
      if (incarnation.includes(`/job ${run}#`) && `${port}.${method}` === call) seen.push(own);
    },
  });
  const found = seen.at(nth ?? -1);
  if (found === undefined) throw new Error(`run ${run} of ${beginning} never calls ${call}`);
  return found;
}
