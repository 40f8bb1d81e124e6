import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Fault } from '../../../../sandbox/faults.ts';
import { seededRandom } from '../../../../sandbox/surroundings/random.ts';
import { everything, whatIsWrongAtRest } from '../world/at-rest.ts';
import { type Customers, openForBusiness } from '../world/customers.ts';
import { rounds, seed } from '../world/interruptions.ts';
import type { End } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

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

function disturb(...faults: readonly Disturbance[]): void {
  for (const [at, fault] of faults.entries()) {
    world.sandbox.faults.add({ ...fault, id: `fault-${at}` });
  }
}

async function expectUnharmed(): Promise<void> {
  const { lost, unserved } = await customers.finish();
  expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
    lost: [],
    unserved: [],
    wrong: [],
  });
}

const both = (effect: Fault['effect'], rest: Partial<Fault> = {}): Disturbance[] =>
  (['gitlab', 'ssm'] as const).map((service) => ({ service, effect, ...rest }));

const passing: readonly (readonly [name: string, faults: Disturbance[]])[] = [
  ['slow answers', both({ kind: 'latency', ms: 150 }, { probability: 0.3 })],
  [
    'being told to slow down, with and without a time',
    [
      {
        service: 'gitlab',
        effect: { kind: 'status', status: 429, retryAfterSeconds: 1 },
        times: 3,
        probability: 0.1,
      },
      { service: 'gitlab', effect: { kind: 'status', status: 429 }, times: 3, probability: 0.1 },
      { service: 'ssm', effect: { kind: 'status', status: 429 }, times: 6, probability: 0.1 },
    ],
  ],
  [
    'errors of the servers on reads',
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
];

test.each(passing)('a deployment gets through %s by itself', async (_, faults) => {
  disturb(...faults);
  const end = await world.stage('deploy');
  expect({ text: end.stderr, exitCode: end.exitCode }).toEqual({ text: '', exitCode: 0 });
  world.sandbox.faults.clear();
  await expectUnharmed();
});

const rough: readonly (readonly [name: string, faults: Disturbance[]])[] = [
  [
    'connections that break before and after the effect',
    [...both({ kind: 'reset_before' }, { probability: 0.04 })],
  ],
  ['answers that are lost', both({ kind: 'reset_after' }, { probability: 0.05 })],
  ['reads that are seconds behind', both({ kind: 'stale', ms: 1500 }, { probability: 0.3 })],
  ['writes that fail with 500', both({ kind: 'status', status: 500 }, { probability: 0.05 })],
];

test.each(rough)(
  `under %s (seed ${seed}) each run ends well or in a typed error, and running it again reaches the goal`,
  async (_, faults) => {
    for (let round = 0; round < rounds; round += 1) {
      disturb(...faults);
      const ends: End[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1) {
        // What is still disturbed after eight runs is no passing fault any more.
        if (attempt === 8) world.sandbox.faults.clear();
        const end = await world.stage('deploy');
        ends.push(end);
        if (end.exitCode === 0) break;
        expect({ text: end.text, code: end.code }).not.toEqual({ text: end.text, code: 'Bug' });
        expect([1, 2, 3, 75]).toContain(end.exitCode);
        expect(end.stderr).toMatch(/^ {2}now {2}\S/m);
      }
      world.sandbox.faults.clear();
      const told = ends.map(({ text }) => text).join('\n');
      expect({ told, exitCode: ends.at(-1)?.exitCode }).toEqual({ told, exitCode: 0 });
    }
    await expectUnharmed();
  },
);

test('where nobody answers, the stage ends in a typed error, and nothing is touched', async () => {
  customers.close();
  const lasting = [
    ['gitlab', { kind: 'status', status: 500 }, 'Unavailable'],
    ['ssm', { kind: 'status', status: 500 }, 'Unavailable'],
    ['gitlab', { kind: 'reset_before' }, 'Unreachable'],
  ] as const;
  // Each waits for as long as a person may be asked to wait, so they wait side by side.
  await Promise.all(
    lasting.map(async ([service, effect, code]) => {
      const own = await openWorld();
      expect(await own.stage('deploy')).toMatchObject({ exitCode: 0 });
      const before = everything(own);
      own.sandbox.faults.add({ id: 'lasting', service, effect });
      const end = await own.stage('prepare');
      expect({ text: end.stderr, exitCode: end.exitCode, code: end.code }).toEqual({
        text: end.stderr,
        exitCode: code === 'Unavailable' ? 75 : 1,
        code,
      });
      expect(everything(own)).toEqual(before);
      await own.close();
    }),
  );
});

test('a write of the record that loses its race stops everything and shows both values', async () => {
  expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
  const { faults } = world.sandbox;
  const usual = faults.pick;
  let isStruck = false;
  faults.pick = (call) => {
    const isWrite = call.operation === 'PutParameter' && call.asked?.includes('deployment_record');
    if (isStruck || !isWrite) return usual(call);
    isStruck = true;
    return { id: 'race', service: 'ssm', effect: { kind: 'lose_race' } };
  };
  const end = await world.stage('onboard');
  faults.pick = usual;
  expect(end).toMatchObject({ exitCode: 3, code: 'ForeignWrite' });
  expect(end.stderr).toMatch(
    /We wrote: \{.*\n +Theirs, version \d+ in its history: .*other-writer/,
  );
  expect(end.stderr).toMatch(/now {2}pink serves jobs/);
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  await expectUnharmed();
});
