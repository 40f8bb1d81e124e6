import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { addShard, emptyWorld, linux, pink, purple, worldWithActive } from '../builders.ts';
import type { Behaviour } from '../hosts/behaviour.ts';
import { atRest } from '../invariants/at-rest.ts';
import { createSimulation } from '../simulation.ts';
import { countJobs } from './job-counts.ts';
import { startStream, submitJob } from './jobs.ts';
import { schedule } from './world-event.ts';

function open(behaviour: Partial<Behaviour> = {}) {
  const world = worldWithActive(pink, { behaviour });
  const simulation = createSimulation({ world });
  const { ports } = simulation.incarnation({ deploymentId: '1-100' });
  const [registration] = Object.values(world.registrations);
  const id = registration?.id as RegistrationId;
  return { world, simulation, ports, id };
}

const job = { name: 'test', tags: ['linux'], durationMs: 60_000 };

describe('jobs in the fake world', () => {
  test('become assigned, running and finished on a runner that has all their tags', async () => {
    const { world, simulation } = open();
    const matched = submitJob(world, job);
    const foreign = submitJob(world, { ...job, tags: ['linux', 'arm'] });
    const untagged = submitJob(world, { ...job, tags: [] });
    await simulation.advance(3000);
    expect(matched).toMatchObject({ status: 'assigned', registrationId: '48213' });
    expect(matched.managerId).toBeUndefined();
    await simulation.advance(300);
    expect(matched).toMatchObject({ status: 'running', managerId: 701 });
    await simulation.advance(60_000);
    expect([matched.status, foreign.status, untagged.status]).toEqual([
      'success',
      'waiting',
      'waiting',
    ]);
  });

  test('return to the queue without an acknowledgement for two minutes', async () => {
    const { world, simulation } = open({ ackMs: 600_000 });
    const assigned = submitJob(world, job);
    await simulation.advance(122_000);
    expect(assigned.status).toBe('assigned');
    world.behaviour.ackMs = 300;
    await simulation.advance(10_000);
    expect(assigned).toMatchObject({ status: 'running', attempt: 3 });
    expect(countJobs(world)).toMatchObject({ requeued: 1, lost: 0 });
  });

  test('do not reach a paused runner, except by a request that is under way', async () => {
    const { world, simulation, ports, id } = open();
    await simulation.advance(2800);
    const late = submitJob(world, job);
    await ports.registry.setIntake(id, 'closed');
    await simulation.advance(200);
    expect(late.status).toBe('assigned');
    const later = submitJob(world, job);
    await simulation.advance(60_000);
    expect(later.status).toBe('waiting');
    await ports.registry.setIntake(id, 'open');
    await simulation.advance(5000);
    expect(later.status).toBe('running');
  });

  test('stay hidden from the token except in the status of the runner, and canceling ones even there', async () => {
    const { world, simulation, ports, id } = open({ jobsVisible: false });
    const hidden = submitJob(world, job);
    await simulation.advance(5000);
    expect(await ports.registry.listJobs(id)).toEqual({ kind: 'found', value: [] });
    expect(await ports.registry.find(id)).toMatchObject({ value: { execution: 'active' } });
    hidden.status = 'canceling';
    expect(await ports.registry.find(id)).toMatchObject({ value: { execution: 'idle' } });
  });

  test('end with their host, and GitLab notices it an hour later', async () => {
    const { world, simulation, ports, id } = open();
    const running = submitJob(world, { ...job, durationMs: 600_000 });
    await simulation.advance(5000);
    const [host] = Object.values(world.hosts);
    schedule(world, 0, { kind: 'host_dies', hostId: host?.id ?? '' });
    await simulation.advance(1000);
    expect(await ports.registry.find(id)).toMatchObject({ value: { execution: 'active' } });
    expect(world.violations).toEqual([]);
    await simulation.advance(3_600_000);
    expect(running).toMatchObject({ status: 'failed', failureReason: 'stuck_or_timeout_failure' });
    expect(countJobs(world)).toMatchObject({ lost: 1, interrupted: 0 });
  });

  test('run completely if they come from a stream', async () => {
    const { world, simulation } = open();
    startStream(world, {
      everyMs: 10_000,
      durationsMs: [1000, 30_000],
      tags: ['linux'],
      visible: true,
      project: 'customers/shop',
      count: 60,
    });
    await simulation.advance(900_000);
    expect(countJobs(world)).toMatchObject({ submitted: 60, finished: 60, lost: 0, waiting: 0 });
    expect(countJobs(world).longestWaitMs).toBeLessThan(10_000);
  });
});

describe('hosts in the fake world', () => {
  const shard = { runnerName: linux, shard: purple };

  async function build(behaviour: Partial<Behaviour>) {
    const { world, simulation, ports } = open(behaviour);
    const made = addShard(world, { shard: purple, contacted: false, tags: ['canary'] });
    await simulation.advance(1);
    return { world, simulation, ports, ...made };
  }

  test('boot, respond and contact GitLab in their time', async () => {
    const { world, simulation, ports } = open();
    const { registration } = addShard(world, { shard: purple, contacted: false });
    const [built] = Object.values(world.hosts).filter((host) => host.shard === purple);
    if (built !== undefined) built.state = 'terminated';
    const plan = await ports.infrastructure.plan(shard);
    expect(plan.kind).toBe('changes');
    const applied = (async () => {
      for await (const event of ports.infrastructure.apply(shard, plan))
        if (event.kind === 'done') return event.counts;
      return undefined;
    })();
    expect(await simulation.run(applied)).toMatchObject({
      value: { added: 1, changed: 0, destroyed: 0 },
    });
    expect(await ports.host.list(shard)).toMatchObject([{ agent: 'lost' }]);
    await simulation.advance(40_000);
    expect(await ports.host.list(shard)).toMatchObject([{ agent: 'online' }]);
    expect(built?.contactedAt).toBeUndefined();
    const manager = { id: 702, version: '19.2.0' };
    expect(registration.managers).toMatchObject([manager]);
    const verifiedAt = registration.managers[0]?.contactedAt ?? 0;
    await simulation.advance(20_000);
    expect(registration.managers).toMatchObject([{ ...manager, contactedAt: verifiedAt + 20_000 }]);
  });

  test('make no contact for an hour after their token was refused', async () => {
    const { world, simulation, registration, hosts } = await build({});
    const [host] = hosts;
    registration.token = 'glrt-another';
    schedule(world, 0, { kind: 'manager_contacts', hostId: host?.id ?? '' });
    await simulation.advance(1);
    expect(host?.log.at(-1)).toMatch(
      /^ERROR: Runner "https:\/\/gitlab\.example\.com\S+" is unhealthy and will be disabled for 1h0m0s seconds! {2}unhealthy_requests=3 unhealthy_requests_limit=3$/,
    );
    expect(registration.contacted).toBe(false);
  });
});

describe('a world at rest', () => {
  test('reports nothing if one shard accepts jobs', () => {
    expect(atRest(worldWithActive(pink))).toEqual([]);
    expect(atRest(emptyWorld())).toEqual([]);
  });

  test('reports what was left', () => {
    const record = JSON.stringify({
      deployment: { id: '1-99', candidate: 'pink', phase: 'drained' },
    });
    const world = worldWithActive(pink, { record });
    addShard(world, { shard: purple, tags: ['canary-1-99-linux'] });
    expect(atRest(world)).toEqual([
      'O1: both shards of linux have infrastructure',
      'O2: registration 48214 of purple is left',
      'O10: host i-0abc0000000000002 of purple is left',
      'O3: the token of purple is left',
      'O9: the record of 1-99 is drained',
      'O5: registration 48214 has the tag canary-1-99-linux',
    ]);
  });

  test('consists of plain data', () => {
    const world = worldWithActive(pink);
    expect(JSON.parse(JSON.stringify(world))).toEqual(world);
  });
});
