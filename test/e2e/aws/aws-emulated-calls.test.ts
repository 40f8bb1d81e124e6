import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions } from '../../../src/adapters/aws/access/permissions.ts';
import { simulate } from '../../../src/adapters/aws/access/simulation.ts';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { createAwsCredentials } from '../../../src/adapters/aws/aws-credentials.ts';
import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { createRunningOrders } from '../../../src/adapters/aws/hosts/order-list.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { createCloudWatch } from '../../../src/adapters/aws/services.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { askingAt, connectCloud, keys, openCloud, roleNames } from '../../aws/cloud.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';
import { answeredIn, notEmulated } from './emulated.ts';
import { type WatchedEmulator, watchEmulator } from './watched-emulator.ts';

const pink = stackShard('pink', 'linux');
const ours = { 'hosted-runner:stack': 'linux', 'hosted-runner:shard': 'pink' };

/** Every call to AWS that there is, made by the adapter that makes it, and whether the emulator knows it. */
describeWithTools({ name: 'calls to an AWS emulator', needs: ['moto_server'] }, (path) => {
  let moto: Moto;
  let front: WatchedEmulator;
  let cloud: ReturnType<typeof connectCloud>;
  let services: ReturnType<typeof openCloud>;
  beforeAll(async () => {
    moto = await startMoto(path('moto_server'));
    // No instance of it ever waits for a hook.
    front = await watchEmulator(moto.url, (call, answer) =>
      call === 'DescribeAutoScalingGroups'
        ? answer.replaceAll('InService', 'Terminating:Wait')
        : answer,
    );
    cloud = connectCloud(front.url);
    services = openCloud(askingAt(front.url));
  });
  // In any order; the list is whole once all have run.
  afterAll(async () => {
    const seen = { answered: front?.answered(), unknown: front?.unknown() };
    cloud?.close();
    for (const one of ['ssm', 'ec2', 'autoScaling', 'tagging', 'iam'] as const)
      services?.[one].close();
    await front?.close();
    await moto?.close();
    expect(seen).toEqual({ answered: answeredIn('aws-emulated-calls'), unknown: notEmulated });
  });

  test('of CloudWatch: an alarm that is not there is told from one whose state is not known', async () => {
    const cloudWatch = createCloudWatch(askingAt(front.url));
    const alarms = createAlarms({ cloudWatch, redact: (text) => text });
    const read = await alarms.read(['runner-errors']).catch((error: unknown) => String(error));
    cloudWatch.close();
    expect(read).toEqual([
      { name: 'runner-errors', state: 'absent', detail: 'there is no such alarm' },
    ]);
  });

  test('of Parameter Store: a name that is deleted is free at once, no pattern is enforced, and no version is missing', async () => {
    const parameters = createParameterStore({ ssm: services.ssm });
    const at = '/gitlab/dedicated/runner/linux/deployment_status';
    const first = { name: at, value: 'pink', allowedPattern: '^[a-z]+$' };
    expect(await parameters.create(first)).toEqual({ kind: 'created', version: 1 });
    expect(await parameters.create(first)).toEqual({ kind: 'taken' });
    for (let version = 2; version < 60; version++)
      expect(await parameters.overwrite({ name: at, value: `0 ${version}` })).toEqual({ version });
    expect(await parameters.find(at)).toMatchObject({ value: '0 59', version: 59 });
    const several = [at, at.replace('status', 'hold')].map((one) => parameters.find(one));
    expect(await Promise.all(several)).toMatchObject([{ version: 59 }, undefined]);
    const versions = (await parameters.listVersions(at))?.map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 59 }, (_, index) => index + 1));
    expect(await parameters.remove(at)).toBe('removed');
    expect(await parameters.create(first)).toEqual({ kind: 'created', version: 1 });
  });

  test('of Run Command: anything is taken for a host, and nothing has run', async () => {
    const order = { script: 'exit 3', comment: '', executionSeconds: 5, effect: 'read' } as const;
    const commands = createRunCommand({ ssm: services.ssm, clock: createSystemClock() });
    expect(await commands.run({ ...order, hostId: 'i-0123456789abcdef0' })).toEqual({
      kind: 'ended',
      exitCode: 0,
      output: '',
      errors: '',
    });
    await expect(listManagedHosts(services.ssm, pink)).rejects.toThrow();
    // The operation does not exist there: the commands are read one by one.
    const running = createRunningOrders(createSystemClock());
    const listed = ['i-1', 'i-2'].map((hostId) =>
      running.isListed({ commandId: 'made-up', hostId, sentAt: Date.now() }, services.ssm),
    );
    expect(await Promise.all(listed)).toEqual([false, false]);
  });

  test('of a role: any text is a token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulated-'));
    const file = join(folder, 'token');
    writeFileSync(file, 'any text');
    const { credentials: _, ...rest } = askingAt(front.url);
    const credentials = createAwsCredentials({
      ...rest,
      environment: {
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/deployer',
        AWS_WEB_IDENTITY_TOKEN_FILE: file,
      },
      readIdToken: () => Promise.reject(new Error('there is a file')),
      keepSecret: () => undefined,
    });
    expect(await credentials.provide?.()).toMatchObject({ accessKeyId: expect.any(String) });
    await rm(folder, { recursive: true });
  });

  test('of a role’s permissions: nothing is simulated', async () => {
    const { account, region } = await cloud.account.readIdentity();
    const principal = `arn:aws:iam::${account}:role/deployer`;
    const place = {
      ...keys,
      ...{ partition: 'aws', account, region, runnerName: 'linux', roleNames },
      shards: ['pink', 'purple'] as const,
      parameterPrefix: '/gitlab/dedicated/runner/linux/',
    };
    await expect(simulate(services.iam, { principal, place }, permissions)).rejects.toThrow();
  });

  test('of hooks: who waits is asked for them, and cannot be let go', async () => {
    const image = { ImageId: 'ami-12c6146b', InstanceType: 't3.micro' };
    const template = Object.entries(image).map(([key, value]) => [
      `LaunchTemplateData.${key}`,
      value,
    ]);
    await moto.ec2('CreateLaunchTemplate', {
      LaunchTemplateName: 'managers',
      ...Object.fromEntries(template),
    });
    await moto.autoScaling('CreateAutoScalingGroup', {
      AutoScalingGroupName: 'managers',
      'LaunchTemplate.LaunchTemplateName': 'managers',
      MinSize: '1',
      MaxSize: '1',
      'AvailabilityZones.member.1': 'eu-west-1a',
      ...tagsOf('Tags.member', ours),
    });
    await moto.autoScaling('PutLifecycleHook', {
      AutoScalingGroupName: 'managers',
      LifecycleHookName: 'drain',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    });
    const [hook] = await cloud.hooks.listWaiting(pink);
    if (hook === undefined) throw new Error('nobody waits');
    expect(hook).toMatchObject({ group: 'managers', hook: 'drain', instance: 'alive' });
    await expect(cloud.hooks.complete(hook)).rejects.toThrow();
  });
});

function tagsOf(at: string, tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).flatMap(([key, value], index) => [
      [`${at}.${index + 1}.Key`, key],
      [`${at}.${index + 1}.Value`, value],
    ]),
  );
}
