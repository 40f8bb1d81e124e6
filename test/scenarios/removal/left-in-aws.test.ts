import { describe, expect, test } from '@jest/globals';
import type { TaggedKind } from '../../../src/domain/plan/aws-resource.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { WaitingHook } from '../../../src/ports/cloud/lifecycle-hooks.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { createHost } from '../../fakes/hosts/hosts.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';

const linux = { runnerName: 'linux', shard: pink };

/** Opens a stack with pink, formerly active, drained and stopped before its cleanup. */
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

describe('AWS resources that a shard left', () => {
  test('get removed if that is safe, without an effect on other stacks and the other shard', async () => {
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
    expect(log.filter((line) => line.includes('in no Terraform state'))).toEqual([
      `Removed instance ${id} "pink-linux_runner-manager" (running): it has the tags of pink and is in no Terraform state.`,
      'Removed security group sg-0abc: it has the tags of pink and is in no Terraform state.',
    ]);
    expect(world.tagged.map(({ resource }) => resource.id)).toEqual(['sg-0large', 'sg-0purple']);
    expect(world.violations).toEqual([]);
  });

  const arn = 'arn:aws:iam::111122223333';
  const manager = 'pink-linux_runner-manager';

  test('get removed from IAM as well, the profile before its role', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'role', `${arn}:role/${manager}`);
    leave(world, 'instance_profile', `${arn}:instance-profile/${manager}`);
    const { log, phase } = await scene.type('cleanup');
    expect(phase).toBe('done');
    expect(log.filter((line) => line.includes('in no Terraform state'))).toEqual([
      `Removed instance profile ${arn}:instance-profile/${manager}: it has the tags of pink and is in no Terraform state.`,
      `Removed role ${arn}:role/${manager}: it has the tags of pink and is in no Terraform state.`,
    ]);
  });

  test('stay for the operator if an Auto Scaling group could use them', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'role', `${arn}:role/${manager}`);
    leave(world, 'auto_scaling_group', 'pink-linux_workers');
    const reason = 'instances of an Auto Scaling group with the same tags may use it';
    const why = expect.arrayContaining([`role ${arn}:role/${manager} is left, because ${reason}`]);
    expect(await scene.type('cleanup')).toMatchObject({ error: { fields: { why } } });
  });

  test('end the run with a command if an operator has to remove them', async () => {
    const { scene, world } = await openCleanup();
    leave(world, 'volume', 'vol-0abc');
    expect(await scene.type('cleanup')).toMatchObject({
      kind: 'error',
      phase: 'destroying',
      error: {
        code: 'LeftoversRemain',
        fields: {
          why: ['volume vol-0abc is left, because its data would be lost permanently'],
        },
      },
    });
    world.tagged = [];
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('appear in the log with aws.sweep report, and are ignored with off', async () => {
    const opened = await openCleanup('report');
    leave(opened.world, 'volume', 'vol-0abc');
    leave(opened.world, 'security_group', 'sg-0abc');
    const { log, phase } = await opened.scene.type('cleanup');
    expect(phase).toBe('done');
    expect(log.filter((line) => line.includes('Left over from pink'))).toEqual([
      expect.stringContaining(
        'Left over from pink: security group sg-0abc is in no Terraform state.',
      ),
      expect.stringContaining('Left over from pink: volume vol-0abc is left'),
    ]);
    const off = await openCleanup('off');
    leave(off.world, 'volume', 'vol-0abc');
    expect(await off.scene.type('cleanup')).toMatchObject({ phase: 'done' });
  });

  test('do not count as absent if AWS does not respond', async () => {
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

/** Opens a stack whose candidate's apply was killed. The state lacks the last created resource. */
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

describe('resources that a cut-off apply created outside of its state', () => {
  test('get removed before the next plan if they could run jobs, while a role stays to be adopted', async () => {
    const { scene, world, id, role } = await openCutOff();
    const { log, phase } = await scene.type('provision', { jobId: 'again' });
    expect(phase).toBe('promoted');
    expect(log).toContain(
      `Removed instance ${id} "purple-linux_runner-manager" (running): it has the tags of purple and is in no Terraform state.`,
    );
    expect(world.tagged.map(({ resource }) => resource.id)).toEqual([role]);
  });

  test('get removed with the abandoned candidate', async () => {
    const { scene, world, role } = await openCutOff();
    const { log, phase } = await scene.type('recover cleanup');
    expect(phase).toBe('promoted');
    expect(log).toContain(
      `Removed role ${role}: it has the tags of purple and is in no Terraform state.`,
    );
    expect(world.tagged).toEqual([]);
  });
});

test('instances of an Auto Scaling group in the state stay with their disks after a cut-off apply', async () => {
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
    'gets completed if the instance is %s',
    async (state) => {
      const { scene, world } = await openCleanup();
      world.hooks.push({ ...linux, hook: waiting('i-0dead', state) });
      const { log } = await scene.type('cleanup');
      const words =
        state === 'absent'
          ? 'EC2 no longer lists the instance'
          : 'EC2 reports the instance as terminated';
      expect(log).toContain(`Completed the hook drain of workers for i-0dead: ${words}.`);
      expect(world.hooks).toEqual([]);
    },
  );

  test('stays while the runner process may run, and is completed once the host reports its end', async () => {
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
      `Completed the hook drain of workers for ${candidate?.id}: its host reports that the runner process has ended.`,
    );
  });

  test('gets completed by doctor --fix, which logs its plan first', async () => {
    const { scene, world } = await openCleanup();
    await scene.type('cleanup');
    const hook = waiting('i-0dead', 'terminated');
    world.hooks.push({ runnerName: 'linux', shard: purple, hook });
    const { log } = await scene.type('doctor --fix');
    const what = 'the hook drain of workers for i-0dead';
    const reason = 'EC2 reports the instance as terminated';
    expect(log).toContain(`Plan: complete ${what}, because ${reason}.`);
    expect(log).toContain(`Completed ${what}: ${reason}.`);
    expect(world.hooks).toEqual([]);
  });

  test('fails no finished deployment if it cannot be read', async () => {
    const { scene, world } = await openCleanup();
    const host = hostOf(world);
    world.hooks.push({ ...linux, hook: waiting(host.id, 'ending') });
    expect(await scene.type('cleanup')).toMatchObject({ phase: 'done' });
    expect(world.hooks).toHaveLength(1);
  });
});
