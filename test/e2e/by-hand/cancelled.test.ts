import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Customers, openForBusiness } from './customers.ts';
import { rounds, seed, seededDice, strikeSomewhere } from './interruptions.ts';
import { readParameters, whatIsWrongAtRest } from './rest.ts';
import { openWorld, type World } from './world.ts';

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

/** The effect in flight gets 5 s, the last words get 2 s. */
const mostMs = 9000;

const plan: Record<string, number> = {
  prepare: 2,
  onboard: 3,
  provision: 6,
  shutdown: 4,
  cleanup: 4,
  finalize: 0,
};

describe.each(Array.from({ length: rounds }, (_, round) => seed + round))('seed %i', (own) => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s at any instant ends a stage within seconds, unlocked; run again it reaches the goal',
    async (signal) => {
      const dice = seededDice(own + (signal === 'SIGINT' ? 0 : 500));
      for (const [stage, strikes] of Object.entries(plan)) {
        for (let attempt = 0; attempt <= strikes; attempt += 1) {
          let struckAt: number | undefined;
          const running = world.start({ args: [stage, '--runner', 'linux'] });
          const strike = () => {
            // The very first milliseconds belong to Node: nobody listens for signals yet.
            if (running.text() === '') return;
            struckAt = performance.now();
            running.kill(signal);
          };
          const { told, restore } =
            attempt === strikes
              ? { told: 'to its end', restore: () => {} }
              : strikeSomewhere(world, { dice, requests: 40, strike });
          const end = await running.ended;
          restore();
          const what = `${stage}, ${told}: ${end.exitCode} ${end.signal}\n${end.stdout}${end.stderr}`;
          expect({ what, lock: readParameters(world.sandbox)['deployment_lock'] }).toEqual({
            what,
            lock: undefined,
          });
          if (struckAt !== undefined && end.exitCode !== 0) {
            const tookMs = performance.now() - struckAt;
            expect({ what, quick: tookMs < mostMs }).toEqual({ what, quick: true });
            expect({ what, exitCode: end.exitCode, code: end.code }).toEqual({
              what,
              exitCode: 130,
              code: 'Cancelled',
            });
          } else expect({ what, exitCode: end.exitCode }).toEqual({ what, exitCode: 0 });
          if (end.exitCode === 0) break;
        }
      }
      const { lost, unserved } = await customers.finish();
      expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
        lost: [],
        unserved: [],
        wrong: [],
      });
    },
    120_000,
  );
});
