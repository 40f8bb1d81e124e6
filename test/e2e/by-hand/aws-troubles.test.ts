import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccessWish } from '../../../sandbox/aws/access/authorization.ts';
import { everything, whatIsWrongAtRest } from './world/at-rest.ts';
import { type Order, openWorld, type World } from './world/world.ts';

/** AWS's answers that end a stage: each in a typed error, nothing lost, and the next run goes on. */
let world: World;
let denied: (wish: AccessWish) => boolean = () => false;
beforeAll(async () => {
  world = await openWorld({ admit: (wish) => !denied(wish) });
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(() => world.close());

async function ends(name: string, exitCode: number, order: Partial<Order> = {}) {
  const end = await world.stage(name, order);
  expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: end.text, exitCode });
  return end;
}

async function goesOn(order: Partial<Order> = {}): Promise<void> {
  await ends('deploy', 0, order);
  expect(whatIsWrongAtRest(world)).toEqual([]);
}

/** Waits no longer for what cannot be asked, and as long as it takes for everything before it. */
const impatient = { set: ['healthcheck.timeouts.instance=2s', 'healthcheck.timeouts.host=2s'] };
const serving = /^ {2}now {2}(?:pink|purple) (?:is|serves|takes)/m;

describe('another place than the configured one touches nothing', () => {
  test.each([
    ['aws.account=111122223333', 'WrongAccount'],
    ['aws.region=us-east-1', 'WrongRegion'],
  ])('%s', async (set, code) => {
    const before = everything(world);
    for (const stage of ['prepare', 'provision', 'shutdown', 'finalize'])
      expect(await ends(stage, 2, { set: [set] })).toMatchObject({ code });
    expect(everything(world)).toEqual(before);
  });
});

describe('credentials that expire between two calls end a stage, and a new run reaches the goal', () => {
  const expire = (operation?: string) =>
    world.sandbox.faults.add({
      id: 'expired',
      service: 'ssm',
      ...(operation === undefined ? {} : { match: { operation } }),
      effect: { kind: 'status', status: 401 },
    });

  test.each(['PutParameter', 'SendCommand', 'GetParameterHistory'])(
    'before %s',
    async (operation) => {
      expire(operation);
      const { code, text } = await ends('deploy', 75);
      expect({ code, text }).toEqual({ code: 'CredentialsEnded', text });
      expect(text).toContain('ExpiredToken');
      expect(text).toMatch(serving);
      world.sandbox.faults.clear();
      await goesOn();
    },
  );

  test('once the candidate is built', async () => {
    const running = world.start({ args: ['deploy', '--runner', 'linux'], ...impatient });
    let isOver = false;
    void running.ended.then(() => {
      isOver = true;
    });
    while (!isOver && !running.text().includes('Applied '))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expire();
    const { code, exitCode, text } = await running.ended;
    // AWS took them in this run before, so the next one goes on with new ones.
    expect({ code, exitCode, text }).toEqual({ code: 'CredentialsEnded', exitCode: 75, text });
    expect(text).toContain('ExpiredToken');
    world.sandbox.faults.clear();
    await goesOn();
  });
});

test.each(['kms:Encrypt', 'kms:Decrypt'])(
  'a key of one’s own without %s is named, the old shard serves, and with it the stage goes on',
  async (action) => {
    const key = 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000';
    const order = { set: [`kms_key_id=${key}`] };
    denied = (wish) => wish.action === action;
    const { code, text } = await ends('deploy', 1, order);
    expect({ code, text }).toEqual({ code: 'PermissionMissing', text });
    expect(text).toContain(`not authorized to perform: ${action} on resource: ${key}`);
    expect(text).toMatch(serving);
    denied = () => false;
    await goesOn(order);
  },
);

test('a token that is missing after its manager has come is told, and the ladder leads out', async () => {
  await ends('prepare', 0);
  await ends('provision', 0, { args: ['--until', 'healthy'] });
  const record = JSON.parse(
    world.sandbox.parameters.read('/gitlab/dedicated/runner/linux/deployment_record').value(),
  ) as { deployment: { candidate: string } };
  const { candidate } = record.deployment;
  world.sandbox.parameters.remove(`/gitlab/dedicated/runner/linux/${candidate}/runner_token`);
  const { code, text } = await ends('provision', 3);
  expect({ code, text }).toEqual({ code: 'TokenLost', text });
  expect(text).toMatch(serving);
  expect(text).toContain('recover --method cleanup --yes --runner linux');
  await ends('recover', 0, { args: ['--method', 'cleanup', '--yes'] });
  // It still waits for the approval that --until healthy has asked for.
  await ends('provision', 0, { args: ['--until', 'promoted'] });
  await goesOn();
});
