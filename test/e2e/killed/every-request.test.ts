import { expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { entryOfLock, Strikes } from './kills.ts';
import { Lane, type Stage, stages } from './lane.ts';

/** Worlds side by side, so that nobody waits for another's boots and drains. */
const lanes = 4;

/** The others are run in between, and nobody strikes them. */
const struckStages = sampleOf(stages, (stage) => stage);

test(`SIGKILL at each effect of ${struckStages.join(', ')} and at the look after it, run again, and the goal is reached`, async () => {
  const startedAt = performance.now();
  const strikes = Object.fromEntries(
    stages.map((stage) => [stage, new Strikes(struckStages.includes(stage) ? undefined : 0)]),
  ) as Record<Stage, Strikes>;
  const ends = await Promise.allSettled(Array.from({ length: lanes }, () => Lane.run(strikes)));
  for (const end of ends) {
    if (end.status === 'rejected') throw end.reason;
    expect(end.value).toEqual({ wrong: [], lost: [], unserved: [] });
  }
  for (const stage of struckStages) {
    const { struck, last, isWhole } = strikes[stage];
    expect({
      stage,
      isWhole,
      struck: [...struck.keys()].filter((nth) => nth <= last).sort((a, b) => a - b),
    }).toEqual({
      stage,
      isWhole: true,
      struck: Array.from({ length: last }, (_, at) => at + 1),
    });
    // Each of them takes the lock, and gives it back at its end: an entry of its log each.
    expect([struck.get(2), struck.get(last)]).toEqual([entryOfLock, entryOfLock]);
    process.stdout.write(
      `${stage}: killed at each of its ${last} effects, and looks after them; no run had more.\n`,
    );
  }
  const kills = stages.reduce((sum, stage) => sum + strikes[stage].last, 0);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${kills} kills in ${seconds} s\n`);
});
