import { expect, test } from '@jest/globals';
import { stepsThrough } from '../../support/sample.ts';
import { entryOfLock, Strikes } from './kills.ts';
import { type Stage, StruckWorld, stages } from './struck-world.ts';

/** Number of parallel worlds, which keep boots and drains of one from delaying another. */
const worlds = 4;

test('a run that is killed at any effect or check reaches the goal when it is repeated', async () => {
  const startedAt = performance.now();
  const strikes = Object.fromEntries(
    stages.map((stage) => [stage, new Strikes(stepsThrough(stage))]),
  ) as Record<Stage, Strikes>;
  const ends = await Promise.allSettled(
    Array.from({ length: worlds }, () => StruckWorld.run(strikes)),
  );
  for (const end of ends) {
    if (end.status === 'rejected') throw end.reason;
    expect(end.value).toEqual({ wrong: [], lost: [], unavailable: [] });
  }
  let kills = 0;
  for (const stage of stages) {
    const { struck, last, isWhole, isOfAll } = strikes[stage];
    const own = [...struck.keys()].filter((nth) => nth <= last).sort((a, b) => a - b);
    expect({ stage, own, isWhole }).toEqual({ stage, own, isWhole: true });
    expect(own.length).toBeGreaterThan(0);
    kills += own.length;
    // Each stage takes the lock and releases it at its end. Both are entries of the lock's log.
    if (isOfAll) expect([struck.get(2), struck.get(last)]).toEqual([entryOfLock, entryOfLock]);
    const which = isOfAll ? `each of its ${last} effects` : `its effects ${own.join(', ')}`;
    process.stdout.write(`${stage}: killed at ${which}, and looks after them; no run had more.\n`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${kills} kills in ${seconds} s\n`);
});
