import { describe, expect, test } from '@jest/globals';
import type { TaggedKind } from '../../../src/domain/plan/aws-resource.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { WaitingHook } from '../../../src/ports/cloud/lifecycle-hooks.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { createHost } from '../../fakes/hosts/hosts.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';

const linux = { runnerName: 'linux', shard: pink };

/** Pink, which was active, is drained and stopped; its cleanup comes next. */
async function openCleanup(sweep: StackSettings['aws']['sweep'] = 'remove') {
  const settings = stackSettings();
  const world = worldWithActive(pink, {
    stacks: [{ ...settings, aws: { ...settings.aws, sweep } }],
  });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
    await scene.type(stage);
  return { scene, world };
}

function leave(world: World, kind: TaggedKind, id: string, place = linux): void {
  world.tagged.push({ ...place, resource: { kind, id } });
}

function hostOf(world: World) {
  const [host] = hostsOf(world, world.stacks[0] as StackSettings, pink);
  if (host === undefined) throw new Error('pink has no host');
  return host;
}

function waiting(instanceId: string, instance: WaitingHook['instance']): WaitingHook {
  return { group: 'workers', hook: 'drain', instanceId, instance };
}

describe('what a shard left in AWS', () => {
  test('is removed where that is safe, without a look at other stacks and the other shard', async () => {
    const { scene, world } = await openCleanup();
    const { id } = createHost(
      world,
      { runnerName: stackSettings().runnerName, shard: pink },
      false,
    );
    leave(world, 'security_group', 'sg-0abc');
    leave(world, 'security_group', 'sg-0large', { runnerName: 'linux-large', shard: pink });
    leave(world, 'security_group', 'sg-0purple', { runnerName: 'linux', shard: purple });
    const { log, phase } = await scene.type('cleanup');
    expect(phase).toBe('done');
    expect(log.filter((line) => line.includes('in no state'))).toEqual([
      `Removed instance ${id} "pink-linux_runner-manager" (running): it carries the tags of pink and is in no state.`,
      'Removed security group sg-0abc: it carries the tags of pink and is in no state.',
    ]);
    expect(world.tagged.map(({ resource }) => resource.id)).toEqual(['sg-0large', 'sg-0purple']);
    expect(world.violations).toEqual([]);
  });

  const arn = 'arn:aws:iam::111122223333';
  const manager = 'pink-linux_runner-manager';

  test('is removed from IAM, too, the profile before the role that it holds', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'role', `${arn}:role/${manager}`);
    leave(world, 'instance_profile', `${arn}:instance-profile/${manager}`);
    const { log, phase } = await scene.type('cleanup');
    expect(phase).toBe('done');
    expect(log.filter((line) => line.includes('in no state'))).toEqual([
      `Removed instance profile ${arn}:instance-profile/${manager}: it carries the tags of pink and is in no state.`,
      `Removed role ${arn}:role/${manager}: it carries the tags of pink and is in no state.`,
    ]);
  });

  test('is a person’s where a group could use it', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'role', `${arn}:role/${manager}`);
    leave(world, 'auto_scaling_group', 'pink-linux_workers');
    const reason = 'instances of an Auto Scaling group with the same tags may use it';
    const why = expect.arrayContaining([`role ${arn}:role/${manager} is left, and ${reason}`]);
    expect(await scene.type('cleanup')).toMatchObject({ error: { fields: { why } } });
  });

  test('ends the run with the command where only a person should remove it', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'volume', 'vol-0abc');
    expect(await scene.type('cleanup')).toMatchObject({
      kind: 'error',
      phase: 'destroying',
      error: {
        code: 'LeftoversRemain',
        fields: {
          why: [
            'volume vol-0abc is left, and its data cannot be brought back: aws ec2 delete-volume --volume-id vol-0abc',
          ],
        },
      },
    });
    world.tagged = [];
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('is only told with aws.sweep report, and not looked for with off', async () => {
    const told = await openCleanup('report');
    leave(told.world, 'volume', 'vol-0abc');
    leave(told.world, 'security_group', 'sg-0abc');
    const { log, phase } = await told.scene.type('cleanup');
    expect(phase).toBe('done');
    expect(log.filter((line) => line.includes('Left of pink'))).toEqual([
      expect.stringContaining('Left of pink: security group sg-0abc is in no state.'),
      expect.stringContaining('Left of pink: volume vol-0abc is left'),
    ]);
    const off = await openCleanup('off');
    leave(off.world, 'volume', 'vol-0abc');
    expect(await off.scene.type('cleanup')).toMatchObject({ phase: 'done' });
  });

  test('is not read as nothing when AWS does not answer', async () => {
    const settings = stackSettings();
    const world = worldWithActive(pink, { stacks: [settings] });
    const scene = openScene(world, (call) =>
      call.port === 'inventory' ? { kind: 'error_before', failure: 'denied' } : undefined,
    );
    for (const stage of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
      await scene.type(stage);
    expect(await scene.type('cleanup')).toMatchObject({
      kind: 'error',
      phase: 'destroying',
      error: { code: 'PermissionMissing' },
    });
  });
});

/** The candidate's apply is killed, and its state knows nothing of what it has made last. */
async function openCutOff() {
  const world = worldWithActive(pink);
  let cut = false;
  const scene = openScene(world, (call) => {
    if (call.method !== 'apply' || !call.args.includes('step 3') || cut) return undefined;
    cut = true;
    return { kind: 'crash_before' };
  });
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const place = { runnerName: stackSettings().runnerName, shard: purple };
  const { id } = createHost(world, place, false);
  const role = 'arn:aws:iam::111122223333:role/purple-linux_runner-manager';
  leave(world, 'role', role, place);
  return { scene, world, id, role };
}

describe('what a cut-off apply made beside its state', () => {
  test('is removed before the next plan where it serves; a role waits for being adopted', async () => {
    const { scene, world, id, role } = await openCutOff();
    const { log, phase } = await scene.type('provision', { jobId: 'again' });
    expect(phase).toBe('promoted');
    expect(log).toContain(
      `Removed instance ${id} "purple-linux_runner-manager" (running): it carries the tags of purple and is in no state.`,
    );
    expect(world.tagged.map(({ resource }) => resource.id)).toEqual([role]);
  });

  test('goes with the candidate that is given up', async () => {
    const { scene, world, role } = await openCutOff();
    const { log, phase } = await scene.type('recover cleanup');
    expect(phase).toBe('promoted');
    expect(log).toContain(
      `Removed role ${role}: it carries the tags of purple and is in no state.`,
    );
    expect(world.tagged).toEqual([]);
  });
});

test('what a group of the state has made is left alone, with its disks, after a cut-off apply', async () => {
  const world = worldWithActive(pink);
  let cut = false;
  const scene = openScene(world, (call) => {
    if (call.method !== 'apply' || !call.args.includes('step 3') || cut) return undefined;
    cut = true;
    return { kind: 'crash_before' };
  });
  await scene.type('prepare');
  await scene.type('onboard');
  await scene.type('provision');
  const [host] = hostsOf(world, world.stacks[0] as StackSettings, purple);
  if (host === undefined) throw new Error('purple has no host');
  host.autoScalingGroup = 'purple-linux_managers';
  const disk = { kind: 'volume', id: 'vol-0abc', partOf: host.id } as const;
  world.tagged.push({ runnerName: 'linux', shard: purple, resource: disk });
  const { log, phase } = await scene.type('provision', { jobId: 'again' });
  expect({ log, phase }).toEqual({ log, phase: 'promoted' });
  expect(log.filter((line) => line.includes(host.id) && /Removed|left/.test(line))).toEqual([]);
  expect(host.state).toBe('running');
  expect(log.join('\n')).not.toContain('vol-0abc');
});

describe('a terminating hook', () => {
  test.each(['terminated', 'absent'] as const)(
    'is completed where the instance is %s',
    async (state) => {
      const { scene, world } = await openCleanup();
      world.hooks.push({ ...linux, hook: waiting('i-0dead', state) });
      const { log } = await scene.type('cleanup');
      const words =
        state === 'absent'
          ? 'EC2 knows the instance no more'
          : 'EC2 says that the instance is terminated';
      expect(log).toContain(`Completed the hook drain of workers for i-0dead: ${words}.`);
      expect(world.hooks).toEqual([]);
    },
  );

  test('is left while the runner process may run, and completed once its host says that it is gone', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup'] as const)
      await scene.type(stage);
    const [candidate] = hostsOf(world, world.stacks[0] as StackSettings, purple);
    const place = { runnerName: 'linux', shard: purple };
    world.hooks.push({ ...place, hook: waiting(candidate?.id ?? '', 'alive') });
    expect((await scene.type('finalize')).log).toContain(
      `Left the hook drain of workers for ${candidate?.id}: its runner process is alive.`,
    );
    if (candidate !== undefined) candidate.process = 'stopped';
    expect((await scene.type('finalize')).log).toContain(
      `Completed the hook drain of workers for ${candidate?.id}: its host says that the runner process is gone.`,
    );
  });

  test('is completed by doctor --fix, which says its plan first', async () => {
    const { scene, world } = await openCleanup();
    await scene.type('cleanup');
    const hook = waiting('i-0dead', 'terminated');
    world.hooks.push({ runnerName: 'linux', shard: purple, hook });
    const { log } = await scene.type('doctor --fix');
    const what = 'the hook drain of workers for i-0dead';
    const reason = 'EC2 says that the instance is terminated';
    expect(log).toContain(`Plan: complete ${what}, because ${reason}.`);
    expect(log).toContain(`Completed ${what}: ${reason}.`);
    expect(world.hooks).toEqual([]);
  });

  test('that cannot be read fails no deployment that is done', async () => {
    const { scene, world } = await openCleanup();
    const host = hostOf(world);
    world.hooks.push({ ...linux, hook: waiting(host.id, 'ending') });
    expect(await scene.type('cleanup')).toMatchObject({ phase: 'done' });
    expect(world.hooks).toHaveLength(1);
  });
});
