import { describe, expect, test } from '@jest/globals';
import { keptScenarios, keptSeeds, keptSequences } from './kept.ts';
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

  test.each(keptSeeds)('$shows', async ({ play }) => {
    expect((await playInterleaving(play, createStage())).verdict).toEqual([]);
  });
});
