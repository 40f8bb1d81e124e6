import { expect, test } from '@jest/globals';
import { openBeginning } from './beginnings/beginnings.ts';
import { parseScenario } from './beginnings/scenario.ts';
import { expand } from './explore.ts';
import { nodeOf } from './node.ts';

async function afterRuns(run: number) {
  const { faults, ...beginning } = parseScenario('promoted/pink/adopted');
  const node = nodeOf(await openBeginning(beginning), { beginning, run }, 0, faults);
  const { troubles, counts } = await expand(node, { findSite: () => undefined, isNew: () => true });
  return { rests: counts.rests, found: troubles.flatMap(({ found }) => found) };
}

test('a schedule without an end is a violation and does not run forever', async () => {
  expect(await afterRuns(1)).toEqual({ rests: 1, found: [] });
  expect(await afterRuns(60)).toEqual({
    rests: 0,
    found: ['L1: not at rest after 60 runs; the next one is shutdown'],
  });
});
