import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from '../world/at-rest.ts';
import { type Customers, openForBusiness } from '../world/customers.ts';
import { rounds, seed, seededDice, strikeSomewhere } from '../world/interruptions.ts';
import type { End } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

let world: World;
let customers: Customers;
beforeEach(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  customers = openForBusiness(world);
});
afterEach(async () => {
  customers.close();
  await world.close();
});

/** How often each command is killed before it may go on to its end. */
const plans: Record<string, Record<string, number>> = {
  'each stage': { prepare: 2, onboard: 3, provision: 5, shutdown: 3, cleanup: 4, finalize: 0 },
  deploy: { deploy: 8 },
};

describe.each(Array.from({ length: rounds }, (_, round) => seed + round))('seed %i', (own) => {
  test.each(Object.entries(plans))(
    '%s, killed again and again at any instant, reaches the goal',
    async (_, plan) => {
      const dice = seededDice(own);
      const ends: End[] = [];
      for (const [stage, kills] of Object.entries(plan)) {
        for (let attempt = 0; attempt <= kills; attempt += 1) {
          const running = world.start({ args: [stage, '--runner', 'linux'] });
          const strike = () => running.kill('SIGKILL');
          const { told, restore } =
            attempt === kills
              ? { told: 'to its end', restore: () => {} }
              : strikeSomewhere(world, { dice, requests: stage === 'deploy' ? 120 : 40, strike });
          const end = await running.ended;
          restore();
          ends.push({ ...end, text: `${told}\n${end.text}` });
          if (end.signal === null) break;
        }
        if (ends.at(-1)?.exitCode !== 0) break;
      }
      const { lost, unserved } = await customers.finish();
      const report = ends.map(({ args, text, exitCode }) => `${args[0]} ${exitCode} ${text}`);
      if (ends.at(-1)?.exitCode !== 0) throw new Error(report.join('\n'));
      expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
        lost: [],
        unserved: [],
        wrong: [],
      });
    },
  );
});
