import { describe, expect, test } from '@jest/globals';
import { keptFaults, keptScenarios, keptSeeds, keptSequences, type NamedFault } from './kept.ts';
import { createStage, playInterleaving } from './pct.ts';
import { parseScenario } from './scenario.ts';
import { playSequence } from './sequences.ts';
import { simulate } from './simulate.ts';

describe('what failed once', () => {
  test.each(keptScenarios)('$shows', async ({ play }) => {
    expect((await simulate(parseScenario(play))).verdict).toEqual([]);
  });

  test.each(keptSequences)('$shows', async ({ play }) => {
    expect(await playSequence(play)).toEqual([]);
  });

  test.each(keptFaults)('$shows', async ({ play }) => {
    const { run, mode } = play;
    const call = await findCall(play);
    const faults = [{ run, call, mode }];
    const { verdict, struck } = await simulate({ ...parseScenario(play.beginning), faults });
    expect({ verdict, struck }).toEqual({ verdict: [], struck: 1 });
  });

  test.each(keptSeeds)('$shows', async ({ play }) => {
    expect((await playInterleaving(play, createStage())).verdict).toEqual([]);
  });
});

/** Where the call is in the run: without the fault it goes there by the same way. */
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
