import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Fault } from '../../../sandbox/faults.ts';
import { seededRandom } from '../../../sandbox/surroundings/random.ts';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { type Customers, openForBusiness } from './world/customers.ts';
import type { End } from './world/running.ts';
import { openWorld, type World } from './world/world.ts';

/** `DISTURBED_SEED=7` strikes other requests. */
const seed = Number(process.env['DISTURBED_SEED'] ?? 20);

let world: World;
let customers: Customers;
beforeEach(async () => {
  world = await openWorld({ random: seededRandom(seed) });
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  customers = openForBusiness(world);
});
afterEach(async () => {
  customers.close();
  await world.close();
});

type Disturbance = Omit<Fault, 'id'>;

const both = (effect: Fault['effect'], rest: Partial<Fault>): Disturbance[] =>
  (['gitlab', 'ssm'] as const).map((service) => ({ service, effect, ...rest }));
const ofRunner = { method: 'PUT', path: '/runners/' };

/** Rows: `runs` limits the runs until success. Faults end after eight runs. */
const rows: readonly (readonly [name: string, runs: number, faults: readonly Disturbance[]])[] = [
  ['slow responses', 1, both({ kind: 'latency', ms: 150 }, { probability: 0.3 })],
  [
    'rate limits, with and without a time to wait',
    1,
    [
      {
        service: 'gitlab',
        effect: { kind: 'status', status: 429, retryAfterSeconds: 1 },
        times: 3,
        probability: 0.1,
      },
      ...both({ kind: 'status', status: 429 }, { times: 3, probability: 0.1 }),
    ],
  ],
  [
    'server errors on reads',
    1,
    [
      {
        service: 'gitlab',
        match: { method: 'GET' },
        effect: { kind: 'status', status: 502 },
        times: 6,
        probability: 0.1,
      },
      {
        service: 'ssm',
        match: { operation: 'GetParameters' },
        effect: { kind: 'status', status: 500 },
        times: 4,
        probability: 0.1,
      },
    ],
  ],
  [
    'connections that break before the effect',
    12,
    both({ kind: 'reset_before' }, { probability: 0.04 }),
  ],
  [
    'connections that break after the effect',
    12,
    both({ kind: 'reset_after' }, { probability: 0.05 }),
  ],
  ['reads that are seconds behind', 12, both({ kind: 'stale', ms: 1500 }, { probability: 0.3 })],
  ['writes that fail with 500', 12, both({ kind: 'status', status: 500 }, { probability: 0.05 })],
  [
    'lost pauses, late confirmations of jobs and job requests that fail',
    12,
    [
      { service: 'gitlab', match: ofRunner, effect: { kind: 'reset_after' }, probability: 0.3 },
      { service: 'gitlab', match: ofRunner, effect: { kind: 'reset_before' }, probability: 0.2 },
      {
        service: 'runner',
        match: { path: '/jobs/\\d+' },
        effect: { kind: 'latency', ms: 400 },
        probability: 0.2,
      },
      {
        service: 'runner',
        match: { path: '/jobs/request' },
        effect: { kind: 'status', status: 500 },
        probability: 0.03,
      },
    ],
  ],
];

test.each(rows)(
  `runs under %s (seed ${seed}) end well or in a typed error, reach the goal and lose no job`,
  async (_, runs, faults) => {
    for (const [at, fault] of faults.entries())
      world.sandbox.faults.add({ ...fault, id: `fault-${at}` });
    const ends: End[] = [];
    for (let attempt = 0; attempt < runs; attempt += 1) {
      if (attempt === 8) world.sandbox.faults.clear();
      const end = await world.stage('deploy');
      ends.push(end);
      if (end.exitCode === 0) break;
      expect({ text: end.text, code: end.code }).not.toEqual({ text: end.text, code: 'Bug' });
      expect([1, 2, 3, 75]).toContain(end.exitCode);
      expect(end.stderr).toMatch(/^ {2}now {2}\S/m);
    }
    world.sandbox.faults.clear();
    const output = ends.map(({ text }) => text).join('\n');
    expect({ output, exitCode: ends.at(-1)?.exitCode }).toEqual({
      output,
      exitCode: 0,
    });
    const { lost, unavailable } = await customers.finish();
    expect({ lost, unavailable, wrong: whatIsWrongAtRest(world) }).toEqual({
      lost: [],
      unavailable: [],
      wrong: [],
    });
  },
);
