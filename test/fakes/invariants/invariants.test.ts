import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { RegistrationId, RunnerName } from '../../../src/domain/shard.ts';
import { addShard, linux, pink, purple, stackSettings, worldWithActive } from '../builders.ts';
import { canaryTag, startCanary } from '../ports/canary-fake.ts';
import { createSimulation } from '../simulation.ts';
import { submitJob } from '../world/jobs.ts';

const pinkId = '48213' as RegistrationId;
const purpleId = '48214' as RegistrationId;
const base = '/gitlab/dedicated/runner/linux';
const status = `${base}/deployment_status`;

/** Opens a world with pink active. With `purpleTags`, purple exists with these tags. */
function open(purpleTags?: readonly string[]) {
  const other = stackSettings({ runnerName: 'linux-2' as RunnerName });
  const world = worldWithActive(pink, { stacks: [stackSettings(), other] });
  if (purpleTags !== undefined) addShard(world, { shard: purple, tags: purpleTags });
  const simulation = createSimulation({ world });
  const { ports } = simulation.incarnation({ deploymentId: '1-100', jobId: '7001' });
  return { world, simulation, ports };
}

async function exhaust(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

describe('violations', () => {
  test('S10 and S1: the active shard is paused', async () => {
    const { world, ports } = open();
    await ports.registry.setIntake(pinkId, 'closed');
    expect(world.violations).toEqual([
      'S10: pink is active and was paused, by registry.setIntake 48213 closed of 1-100/7001#1',
      'S1: no shard of linux serves jobs any more, by registry.setIntake 48213 closed of 1-100/7001#1',
    ]);
  });

  test('none: the retiring shard is paused while the other shard accepts jobs', async () => {
    const { world, ports } = open(['linux']);
    await ports.parameters.overwrite({ name: status, value: formatStatus([pink, purple], purple) });
    await ports.registry.setIntake(pinkId, 'closed');
    expect(world.violations).toEqual([]);
  });

  test('S2: a worker is removed while a manager of its shard lives', async () => {
    const { world, ports } = open(['linux']);
    const place = { runnerName: stackSettings().runnerName, shard: purple };
    const worker = { kind: 'instance', id: 'i-0worker', name: 'purple-linux_worker' } as const;
    world.tagged.push({ ...place, resource: worker });
    await ports.inventory.remove(worker, place);
    expect(world.violations).toEqual([
      expect.stringMatching(/^S2: worker i-0worker was removed while i-\w+ lives, by inventory/),
    ]);
  });

  test('S2: a runner is removed under a job', async () => {
    const { world, simulation, ports } = open(['linux', 'arm']);
    const job = submitJob(world, { name: 'build', tags: ['arm'], durationMs: 60_000 });
    await simulation.advance(3000);
    expect(job.status).toBe('assigned');
    await ports.registry.retire(purpleId);
    expect(world.violations).toEqual([
      'S2: registration 48214 was removed under job 9000002 "build", by registry.retire 48214 of 1-100/7001#1',
    ]);
  });

  test('S2 and S7: a shard is destroyed under a job while it accepts customer jobs', async () => {
    const { world, simulation, ports } = open(['linux', 'arm']);
    submitJob(world, { name: 'build', tags: ['arm'], durationMs: 600_000 });
    await simulation.advance(5000);
    await simulation.run(
      exhaust(ports.infrastructure.destroy({ runnerName: linux, shard: purple })),
    );
    const by = 'by infrastructure.destroy purple-linux step 1 of 1-100/7001#1';
    expect(world.violations).toEqual([
      `S2: host i-0abc0000000000002 was terminated under job 9000002 "build", ${by}`,
      `S7: purple was destroyed while registration 48214 is open to customers' jobs, ${by}`,
    ]);
  });

  test('S2: a machine is terminated under a canary, unless that was cancelled', async () => {
    const { world, simulation, ports } = open([canaryTag(stackSettings(), '1-100')]);
    startCanary(world, stackSettings(), '1-100');
    await simulation.advance(5000);
    const hosts = structuredClone(world.hosts);
    const machine = { id: 'i-0abc0000000000002', shard: { runnerName: linux, shard: purple } };
    await ports.instances.terminate(machine);
    expect(world.violations).toEqual([
      'S2: host i-0abc0000000000002 was terminated under job 9000001 "hosted_runner_canary", by instances.terminate id=i-0abc0000000000002 shard=purple-linux of 1-100/7001#1',
    ]);
    world.violations.splice(0);
    Object.assign(world.hosts, hosts);
    await ports.canary.cancel();
    await ports.instances.terminate(machine);
    expect(world.violations).toEqual([]);
  });

  test('S5: the status is switched twice for one deployment', async () => {
    const { world, ports } = open(['linux']);
    for (const shard of [purple, pink]) {
      await ports.parameters.overwrite({
        name: status,
        value: formatStatus([pink, purple], shard),
      });
    }
    expect(world.violations).toEqual([
      expect.stringContaining('S5: deployment 1-100 switched the status for the 2. time'),
    ]);
  });

  test('S5: a deployment changes its candidate', async () => {
    const { world, ports } = open();
    const name = `${base}/deployment_record`;
    const value = (candidate: string) => JSON.stringify({ deployment: { id: '1-100', candidate } });
    await ports.parameters.create({ name, value: value('purple') });
    await ports.parameters.overwrite({ name, value: value('pink') });
    expect(world.violations).toEqual([
      expect.stringContaining('S5: deployment 1-100 changed its candidate from purple to pink'),
    ]);
  });

  test('S6: an apply on a candidate with production tags', async () => {
    const { world, simulation, ports } = open(['linux']);
    world.behaviour.revision = 2;
    const shard = { runnerName: linux, shard: purple };
    const plan = await ports.infrastructure.plan(shard);
    await simulation.run(exhaust(ports.infrastructure.apply(shard, plan)));
    expect(world.violations[0]).toBe(
      'S6: an apply on purple, whose registration 48214 has production tags, by infrastructure.apply purple-linux step 1 of 1-100/7001#1',
    );
  });

  test('S12: a token in a parameter that is no secret', async () => {
    const { world, ports } = open();
    const token = world.registrations[pinkId]?.token;
    await ports.parameters.create({ name: `${base}/note`, value: `it is ${token}` });
    expect(world.violations[0]).toContain(`S12: ${base}/note contains a runner's token`);
  });

  test('S15: another stack whose name begins with the name of the stack', async () => {
    const { world, ports } = open();
    const [, other] = world.stacks;
    const { registration } = addShard(world, {
      shard: pink,
      ...(other === undefined ? {} : { stack: other }),
    });
    await ports.registry.route(registration.id as RegistrationId, {
      tags: ['x'],
      runUntagged: false,
    });
    expect(world.violations[0]).toContain('S15: pink-linux-2 is not of stack linux');
  });

  test('S2: the token of a live manager is removed', async () => {
    const { world, ports } = open(['canary']);
    await ports.parameters.remove(`${base}/purple/runner_token`);
    expect(world.violations[0]).toContain('S2: the token of registration 48214 was taken');
  });
});
