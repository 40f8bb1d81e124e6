import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { usualWindows } from '../../../sandbox/options.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { createSsm } from '../../../src/adapters/aws/services.ts';
import { optionsAt } from '../../aws/cloud.ts';
import { openSandbox, until } from '../hosts/running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };
const minuteMs = 60_000;

/** Sandbox with AWS's long delays. Each test advances the world's clock. */
let world: Awaited<ReturnType<typeof openSandbox>>;
let clients: { ec2: EC2; autoScaling: AutoScaling };
beforeEach(async () => {
  world = await openSandbox({
    windows: {
      ...usualWindows,
      commandVisibleAfterMs: 0,
      parameterWritesPerSecond: 0,
      undeliveredAfterMs: undefined,
      ec2LagMs: 30 * minuteMs,
      updateMs: minuteMs,
      readsLagMs: 0,
    },
    behaviour: { agentDelayMs: 0 },
  });
  const settings = {
    region: 'eu-west-1',
    endpoint: world.sandbox.ssmUrl,
    credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    maxAttempts: 1,
  };
  clients = {
    ec2: new EC2(settings),
    autoScaling: new AutoScaling(settings),
  };
});
afterEach(async () => {
  for (const client of Object.values(clients)) client.destroy();
  await world.close();
});

async function build(behaviour: object = {}): Promise<string> {
  world.sandbox.settings.change(place, behaviour);
  const { instanceIds } = await world.sandbox.stacks.apply(place);
  const id = instanceIds[0] ?? '';
  await until(() => world.sandbox.fleet.find(id)?.state === 'running');
  return id;
}

const agents = async () =>
  (await world.ssm.describeInstanceInformation({})).InstanceInformationList?.map(
    ({ PingStatus }) => PingStatus,
  );

async function send(hostId: string, script: string) {
  const { Command } = await world.ssm.sendCommand({
    DocumentName: 'AWS-RunShellScript',
    InstanceIds: [hostId],
    TimeoutSeconds: 30,
    Parameters: { commands: [script], executionTimeout: ['600'] },
  });
  const input = { CommandId: Command?.CommandId ?? '', InstanceId: hostId };
  return async () => (await world.ssm.getCommandInvocation(input)).StatusDetails ?? '';
}

describe('a Systems Manager agent', () => {
  test('stays unknown to Systems Manager until it registers', async () => {
    const id = await build({ agentDelayMs: 60 * minuteMs });
    expect(await agents()).toEqual([]);
    await expect(send(id, 'true')).rejects.toMatchObject({ name: 'InvalidInstanceId' });
  });

  test('stays online for five minutes after it is lost, even if its machine is gone', async () => {
    const id = await build();
    await world.sandbox.fleet.terminate(id);
    expect(await agents()).toEqual(['Online']);
    world.sandbox.clock.advance(5 * minuteMs);
    expect(await agents()).toEqual([]);
  });
});

describe('an agent that Systems Manager reports as online, but that receives nothing', () => {
  test('stays online, and each command to it becomes undeliverable', async () => {
    const id = await build();
    world.sandbox.fleet.setAgent(id, 'deaf');
    world.sandbox.clock.advance(60 * minuteMs);
    expect(await agents()).toEqual(['Online']);
    const status = await send(id, 'true');
    expect(await until(async () => (await status()) === 'Undeliverable')).toBe(true);
    world.sandbox.fleet.setAgent(id, 'online');
    const again = await send(id, 'true');
    await until(async () => (await again()) === 'Success');
  });

  test('causes an undelivered result in hosted-runner', async () => {
    const id = await build();
    world.sandbox.fleet.setAgent(id, 'deaf');
    const options = optionsAt(world.sandbox.ssmUrl);
    const ssm = createSsm(options);
    const order = { script: 'exit 0', comment: '', executionSeconds: 5, effect: 'write' } as const;
    const commands = createRunCommand({ ssm, clock: options.clock });
    expect(await commands.run({ ...order, hostId: id })).toEqual({
      kind: 'undelivered',
      reason: 'Run Command could not deliver the command to its agent',
    });
    ssm.close();
  });
});

describe('a Run Command invocation', () => {
  test('ends after its whole time if its agent is lost, and is not fetched after its delivery time', async () => {
    const id = await build();
    world.sandbox.fleet.setAgent(id, 'lost');
    const status = await send(id, 'true');
    await until(async () => (await status()) === 'Delayed');
    world.sandbox.clock.advance(31_000);
    world.sandbox.fleet.setAgent(id, 'online');
    expect(await status()).toBe('Delayed');
    world.sandbox.clock.advance(600_000);
    expect(await status()).toBe('DeliveryTimedOut');
  });

  test('counts as not delivered if it started and the SSM agent does not respond in time', async () => {
    const id = await build();
    const status = await send(id, 'sleep 3000');
    await until(async () => (await status()) === 'InProgress');
    world.sandbox.fleet.setAgent(id, 'lost');
    world.sandbox.clock.advance(601_000);
    expect(await status()).toBe('InProgress');
    world.sandbox.clock.advance(30_000);
    expect(await status()).toBe('DeliveryTimedOut');
  });

  test('waits if its machine is stopped', async () => {
    const id = await build();
    await world.sandbox.fleet.stop(id);
    const status = await send(id, 'true');
    expect(await until(status)).toMatch(/^(?:Pending|Delayed)$/);
  });
});

describe('a parameter', () => {
  const Name = '/gitlab/dedicated/runner/linux/deployment_lock';
  const put = () => world.ssm.putParameter({ Name, Value: 'x', Type: 'String', Overwrite: true });

  test('accepts one writer at a time', async () => {
    await put();
    await expect(put()).rejects.toMatchObject({ name: 'TooManyUpdates' });
    world.sandbox.clock.advance(minuteMs);
    expect(await put()).toMatchObject({ Version: 2 });
  });

  test('may disappear with an earlier removal that takes effect late', async () => {
    const effect = { kind: 'late_removal' } as const;
    world.sandbox.faults.add({ id: 'late', service: 'ssm', effect, times: 1 });
    expect(await put()).toMatchObject({ Version: 1 });
    await expect(world.ssm.getParameter({ Name })).rejects.toMatchObject({
      name: 'ParameterNotFound',
    });
  });

  test('returns its history in pages, in no reliable order', async () => {
    for (let at = 0; at < 3; at += 1) {
      await put();
      world.sandbox.clock.advance(minuteMs);
    }
    const first = await world.ssm.getParameterHistory({ Name, MaxResults: 2 });
    const versionsOf = ({ Parameters = [] }: typeof first) => Parameters.map((one) => one.Version);
    expect(versionsOf(first)).toEqual([2, 1]);
    const rest = { Name, MaxResults: 2, NextToken: first.NextToken };
    expect(versionsOf(await world.ssm.getParameterHistory(rest))).toEqual([3]);
  });
});

describe('an EC2 instance', () => {
  const byName = async () =>
    (
      await clients.ec2.describeInstances({
        Filters: [{ Name: 'tag:Name', Values: ['pink-linux_runner-manager'] }],
      })
    ).Reservations?.length;

  test('stays unknown at first, then lacks tags, then can be found by its tags', async () => {
    const id = await build();
    const byId = () => clients.ec2.describeInstances({ InstanceIds: [id] });
    await expect(byId()).rejects.toMatchObject({ name: 'InvalidInstanceID.NotFound' });
    world.sandbox.clock.advance(30 * minuteMs);
    expect((await byId()).Reservations?.[0]?.Instances?.[0]?.Tags).toEqual([]);
    expect(await byName()).toBe(0);
    world.sandbox.clock.advance(30 * minuteMs);
    expect(await byName()).toBe(1);
  });

  test('stays alive if it is protected, although the dry run permits the termination', async () => {
    const id = await build();
    world.sandbox.clock.advance(60 * minuteMs);
    world.sandbox.fleet.protect(id);
    const end = (DryRun: boolean) => clients.ec2.terminateInstances({ InstanceIds: [id], DryRun });
    await expect(end(true)).rejects.toMatchObject({ name: 'DryRunOperation' });
    await expect(end(false)).rejects.toMatchObject({ name: 'OperationNotPermitted' });
    expect(world.sandbox.fleet.find(id)?.state).toBe('running');
  });

  test('refuses a query by id with a page size', async () => {
    const input = { InstanceIds: ['i-0123456789abcdef0'], MaxResults: 10 };
    await expect(clients.ec2.describeInstances(input)).rejects.toMatchObject({
      name: 'InvalidParameterCombination',
    });
  });
});

describe('a termination hook', () => {
  const id = 'i-0123456789abcdef0';
  const action = {
    AutoScalingGroupName: 'g',
    LifecycleHookName: 'h',
    LifecycleActionResult: 'CONTINUE',
  };
  const complete = () => clients.autoScaling.completeLifecycleAction({ ...action, InstanceId: id });

  test('releases its instance at its timeout', async () => {
    world.sandbox.groups.add({
      name: 'g',
      tags: {},
      hook: 'h',
      waiting: [id],
      heartbeatSeconds: 60,
    });
    world.sandbox.clock.advance(61_000);
    await expect(complete()).rejects.toMatchObject({
      name: 'ValidationError',
      message: `No active Lifecycle Action found with instance ID ${id}`,
    });
  });

  test('refuses its completion while another activity of its group runs', async () => {
    world.sandbox.groups.add({ name: 'g', tags: {}, hook: 'h', waiting: [id], contended: true });
    await expect(complete()).rejects.toMatchObject({
      name: expect.stringMatching(/^ResourceContention/),
    });
    await expect(complete()).resolves.toBeDefined();
  });
});
