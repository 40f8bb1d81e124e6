import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPipeline, type PlayedPipeline } from './world/pipeline.ts';
import { openWorld, type World } from './world/world.ts';

/** Limit of calls to AWS, GitLab and the CI's API together, if a finished stage runs again. */
const mostCallsOfFinished = 12;
/**
 * Limit of calls to Parameter Store in one `deploy` of an idle stack: 60, plus repeated reads on a
 * paused machine.
 */
const mostCallsOfParameters = 64;
/**
 * Limit of calls to GitLab in the same `deploy`. The number of canary polls depends on the machine.
 */
const mostCallsOfGitLab = 90;
/**
 * Usual number of checks of the retiring runner's jobs. A slow machine needs more, each with this
 * many calls.
 */
const usualChecks = 5;
const callsOfCheck = 6;
/**
 * Usual number of record writes. In a longer drain, each further write comes with a check of the
 * lock.
 */
const usualRecordWrites = 15;

interface LimitedCall {
  readonly service: string;
  readonly operation: string;
  /** Write such as `deployment_lock acquire`, or the method of a GitLab write. */
  readonly write: string | undefined;
}

let world: World;
let calls: LimitedCall[] = [];
beforeAll(async () => {
  world = await openWorld();
  const { faults } = world.sandbox;
  const usual = faults.pick;
  faults.pick = (call) => {
    const { service, operation = `${call.method} ${call.path}`, parameters: body = '' } = call;
    // The runners' own requests do not count.
    if (service !== 'runner') calls.push({ service, operation, write: writeOf(operation, body) });
    return usual(call);
  };
});
afterAll(() => world.close());

const harmless = /^(?:Get|Describe|List|Simulate)|^GET |graphql$/;

function writeOf(operation: string, body: string): string | undefined {
  if (harmless.test(operation)) return undefined;
  if (operation !== 'PutParameter') return operation;
  const { Name: name, Value: value } = JSON.parse(body) as { Name: string; Value: string };
  return `${name.replace(/^.*\//, '')} ${/"entry":"(\w+)"/.exec(value)?.[1] ?? ''}`;
}

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];
let pipeline: PlayedPipeline;

describe('a stage of a finished deployment that runs again', () => {
  beforeAll(async () => {
    for (let round = 1; round <= 2; round += 1) {
      pipeline = await createPipeline(world);
      for (const stage of stages) expect(await pipeline.run(stage)).toMatchObject({ exitCode: 0 });
    }
  });

  test.each(stages)('%s makes at most 12 calls, and takes and releases the lock', runAgain);
});

describe('a finished stage of an unfinished deployment that runs again', () => {
  const begun = ['prepare', 'onboard', 'provision'];
  beforeAll(async () => {
    pipeline = await createPipeline(world);
    for (const stage of begun) expect(await pipeline.run(stage)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    expect(await pipeline.run('finalize')).toMatchObject({ exitCode: 0 });
  });

  test.each(begun)('%s makes at most 12 calls, and takes and releases the lock', runAgain);
});

async function runAgain(stage: string): Promise<void> {
  // The test reports the job before and after the command, with separate calls.
  const first = calls.length;
  const end = await pipeline.run(stage);
  const stageCalls = calls.slice(first).filter(({ operation }) => !isOfTest(operation));
  expect({ exitCode: end.exitCode, text: end.stderr }).toEqual({ exitCode: 0, text: '' });
  const inOrder = stageCalls.map(({ operation }) => operation);
  expect(inOrder).toEqual(inOrder.slice(0, mostCallsOfFinished));
  expect(stageCalls.flatMap(({ write }) => write ?? [])).toEqual([
    'deployment_lock acquire',
    'deployment_lock release',
  ]);
}

function isOfTest(operation: string): boolean {
  return /^POST .*\/retry$/.test(operation);
}

describe('a replacement of an idle stack', () => {
  beforeAll(async () => {
    await world.stage('deploy');
    calls = [];
    const end = await world.stage('deploy', { args: ['--again', 'calls are counted'] });
    expect({ exitCode: end.exitCode, text: end.stderr }).toEqual({ exitCode: 0, text: '' });
  });

  test('stays within its calls of Parameter Store', () => {
    const operations = calls.flatMap(({ operation }) =>
      /Parameter/.test(operation) ? [operation] : [],
    );
    const notes = calls.filter(({ write }) => write?.startsWith('deployment_record')).length;
    const most = mostCallsOfParameters + 2 * Math.max(0, notes - usualRecordWrites);
    expect(operations).toEqual(operations.slice(0, most));
  });

  test('makes at most 90 GitLab calls if each poll counts once', () => {
    const all = calls.filter(({ service }) => service === 'gitlab');
    const operations = all.map(({ operation }) => operation);
    const [retiring] = operations.flatMap(
      (one) => /^DELETE (.*\/runners\/\d+)$/.exec(one)?.[1] ?? [],
    );
    const checks = operations.filter((one) => one === `GET ${retiring}/jobs`).length;
    expect(checks).toBeGreaterThan(0);
    const most = mostCallsOfGitLab + callsOfCheck * Math.max(0, checks - usualChecks);
    const once = operations.filter((one, at) => one !== operations[at - 1]);
    expect(once).toEqual(once.slice(0, most));
  });
});
