import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readParameters, whatIsWrongAtRest } from './world/at-rest.ts';
import { type Customers, openForBusiness } from './world/customers.ts';
import { startHeldJob } from './world/held-job.ts';
import { killBeforeTheSwitch } from './world/interruptions.ts';
import type { End, Running } from './world/running.ts';
import {
  commandsUnderFix,
  machineOf,
  recordOf,
  runnerOf,
  setPaused,
  until,
  whatIsThere,
} from './world/shards.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
/** The active shard, and the candidate that has the production tags before the switch. */
let old: string;
let candidate: string;
let customers: number[];

beforeAll(async () => {
  await new Promise<void>((resolve) => needed.listen(0, '127.0.0.1', resolve));
  world = await openWorld();
  await expectDone(world.stage('deploy'));
});
afterAll(async () => {
  needed.close();
  await world.close();
});

beforeEach(async () => {
  customers = [];
  old = JSON.parse(readParameters(world.sandbox)['deployment_status'] ?? '{}').active_shard;
  candidate = old === 'pink' ? 'purple' : 'pink';
  await expectDone(world.stage('prepare'));
  await killBeforeTheSwitch(world);
  expect(runnerOf(world, candidate)).toMatchObject({ paused: false, tags: ['linux'] });
  isDown = true;
});

/** Whatever was typed, in the end the stack is whole, and each customer's job ran once and well. */
afterEach(async () => {
  await expectDone(world.stage('finalize'));
  expect(whatIsWrongAtRest(world)).toEqual([]);
  const ran = customers.map((id) => {
    const job = world.sandbox.gitlab.jobs().find((one) => one.id === id);
    const times = job?.transitions.filter(({ status }) => status === 'running').length;
    return `${job?.status}, started ${times}×`;
  });
  expect(ran).toEqual(customers.map(() => 'success, started 1×'));
  await expectDone(world.stage('status'));
});

/** What the active shard has run before is no proof any more once it is so old. */
const evidenceMs = 10_000;
const checks = () => [
  'healthcheck.evidence.reachability=required',
  `healthcheck.reach=["http://127.0.0.1:${(needed.address() as AddressInfo).port}"]`,
  'healthcheck.timeout=12s',
];

/** What every host has to reach, and cannot while it is down. */
let isDown = false;
const needed = createServer((request, response) => {
  if (isDown) request.socket.destroy();
  else response.end();
});

async function expectDone(run: Promise<End>): Promise<void> {
  const { text, exitCode } = await run;
  expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
}

/** On the candidate: only for this moment nobody else takes customers' jobs. */
async function startJobOnCandidate() {
  await setPaused(world, old, true);
  const held = await startHeldJob(world);
  await setPaused(world, old, false);
  customers.push(held.id);
  return held;
}

async function serveCustomer(): Promise<void> {
  const job = { project: 201, tags: ['linux'], script: ['true'] };
  const { id } = world.sandbox.gitlab.submitJob(job);
  customers.push(id);
  const found = () => world.sandbox.gitlab.jobs().find((one) => one.id === id);
  await until(() => (found()?.finishedAt ?? null) !== null);
}

function begin(stage: string) {
  return world.start({ args: [stage, '--runner', 'linux'], set: checks() });
}

/** By state; a run that ends before it says why. */
async function untilIn(run: Running, isSo: () => boolean): Promise<void> {
  let end: End | undefined;
  void run.ended.then((ended) => {
    end = ended;
  });
  await until(() => end !== undefined || isSo());
  if (!isSo()) throw new Error(`It has ended: ${end?.text}`);
}

async function untilClosed(run: Running): Promise<void> {
  const isClosed = () =>
    recordOf(world)?.phase === 'retreating' && runnerOf(world, candidate).paused;
  await untilIn(run, isClosed);
}

/** Exactly as it was printed, with everything that it carries. */
function typePrinted(words: readonly string[]): Promise<End> {
  return world.run({ args: words, asPrinted: true });
}

/** The only one of this stage among what an error offers; `of` is how many it offers. */
function printed(end: End, { stage, of }: { stage: string; of: number }): readonly string[] {
  const commands = commandsUnderFix(end.stderr);
  const text = end.stderr;
  expect({ text, offered: commands.length }).toEqual({ text, offered: of });
  const found = commands.filter(([name]) => name === stage);
  expect({ text, found: found.length }).toEqual({ text, found: 1 });
  return found[0] ?? [];
}

function expectCode({ text, code }: End, wanted: string): void {
  expect({ text, code }).toEqual({ text, code: wanted });
}

/** The old one still serves, and nobody can see it: the agent of its machine is lost. */
function setSeen(isSeen: boolean): void {
  world.sandbox.fleet.setAgent(machineOf(world, old).id, isSeen ? 'online' : 'lost');
}

/** What a job that ran there proves is old by then. */
async function untilProofIsOld(): Promise<void> {
  const { id } = runnerOf(world, old);
  const ended = () =>
    world.sandbox.gitlab
      .jobs()
      .filter(({ runnerId }) => runnerId === id)
      .map(({ finishedAt }) => finishedAt ?? Date.now());
  await until(() => ended().every((at) => Date.now() - at > evidenceMs));
}

/** Nothing of it was taken away. */
function expectWhole(): void {
  expect(world.sandbox.fleet.machine(machineOf(world, candidate).id)?.unit?.isRunning).toBe(true);
  expect(whatIsThere(world, candidate)).toMatchObject({ registered: true, built: true });
}

test.each([
  ['provision', 'closed by hand, finishes the retreat and builds the candidate anew'],
  ['activate', 'mended, keeps the candidate'],
])('OpenedByOther: the printed %s, %s', async (stage) => {
  const held = await startJobOnCandidate();
  const run = begin('provision');
  // Opened before the run has seen its own pause, that would only seem to have come late.
  await untilIn(run, () => run.text().includes('Paused runner'));
  await setPaused(world, candidate, false);
  const end = await run.ended;
  expectCode(end, 'OpenedByOther');
  expect(end.stderr).toContain('and it is un-paused now. Nothing was stopped.');
  expect(runnerOf(world, candidate)).toMatchObject({ paused: false });
  expect(held.status()).toBe('running');
  expectWhole();
  if (stage === 'provision') await setPaused(world, candidate, true);
  held.release();
  isDown = false;
  await expectDone(typePrinted(printed(end, { stage, of: 2 })));
});

test('Retreated: its printed command builds the candidate anew', async () => {
  const end = await begin('provision').ended;
  expectCode(end, 'Retreated');
  await serveCustomer();
  isDown = false;
  await expectDone(typePrinted(printed(end, { stage: 'provision', of: 1 })));
});

describe('where nobody sees any more that the other shard serves', () => {
  let stream: Customers | undefined;
  afterEach(async () => {
    const served = await stream?.finish();
    stream = undefined;
    expect(served ?? { lost: [], unserved: [] }).toMatchObject({ lost: [], unserved: [] });
  });

  /** The run that goes on finds the other one out of sight, and whatever has proven it is old. */
  async function goOnUnseen(run: Running): Promise<End> {
    run.kill('SIGKILL');
    await run.ended;
    setSeen(false);
    await untilProofIsOld();
    return world.stage('provision', {
      set: [...checks(), `healthcheck.evidence_max_age=${evidenceMs}ms`],
    });
  }

  /** It is seen again, and customers' jobs prove it. */
  function seeAgain(): void {
    setSeen(true);
    stream = openForBusiness(world);
  }

  test('ServiceLost: the candidate is open again, and its printed command goes on once the other one is seen', async () => {
    const held = await startJobOnCandidate();
    const run = begin('provision');
    await untilClosed(run);
    const lost = await goOnUnseen(run);
    expectCode(lost, 'ServiceLost');
    expect(runnerOf(world, candidate)).toMatchObject({ paused: false, tags: ['linux'] });
    expect(held.status()).toBe('running');
    expectWhole();
    held.release();
    isDown = false;
    seeAgain();
    await expectDone(typePrinted(printed(lost, { stage: 'provision', of: 1 })));
  });

  describe('ServiceUnproven of a candidate that a person had paused before', () => {
    let end: End;
    beforeEach(async () => {
      const run = begin('provision');
      await untilIn(run, () => run.text().includes('Waiting: '));
      await setPaused(world, candidate, true);
      await untilClosed(run);
      end = await goOnUnseen(run);
      expectCode(end, 'ServiceUnproven');
      expect(runnerOf(world, candidate)).toMatchObject({ paused: true });
      expectWhole();
      isDown = false;
    });

    test('its printed activation opens it, while nobody sees the other one', async () => {
      await expectDone(typePrinted(printed(end, { stage: 'activate', of: 2 })));
      seeAgain();
    });

    test('its other command goes on once the other shard is seen', async () => {
      seeAgain();
      await expectDone(typePrinted(printed(end, { stage: 'provision', of: 2 })));
    });
  });
});
