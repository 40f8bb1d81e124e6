import { describe, expect, test } from '@jest/globals';
import type { DeploymentCost } from '../../../src/domain/deployment/cost.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import { arrive } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

import { cost, drainInPieces, minute, promoted, recorded } from './draining.ts';

describe('the cost of a deployment', () => {
  test('stays the same whether one job drained or several jobs did', async () => {
    const whole = await promoted();
    await whole.scene.type('finalize');
    const pieces = await promoted();
    await drainInPieces(pieces.scene, 'shutdown');
    await pieces.scene.type('cleanup');
    const counts = ({ jobsFinished, jobsBroken, longestWaitSeconds }: DeploymentCost) => {
      return { jobsFinished, jobsBroken, longestWaitSeconds };
    };
    expect(counts(cost(whole.world))).toEqual({
      jobsFinished: 2,
      jobsBroken: 0,
      longestWaitSeconds: 6,
    });
    expect(counts(cost(pieces.world))).toEqual(counts(cost(whole.world)));
    expect(cost(pieces.world).twoShardsSeconds).toBeGreaterThan(3600);
  });

  test('keeps counting if another pipeline adopts and finalizes the deployment', async () => {
    const { scene, world } = await promoted();
    await scene.type('shutdown', { deadline: world.now + 8 * minute });
    await scene.simulation.advance(30 * minute);
    expect(await drainInPieces(scene, 'finalize', '1-300')).toMatchObject({ phase: 'done' });
    expect(cost(world)).toMatchObject({ jobsFinished: 2, jobsBroken: 0, broken: [] });
    expect(recorded(world).history[0]?.cost).toMatch(/^jobs=2 broken=0 wait=6s two_shards=\d+s$/);
  });

  test('stays recorded after a rollback, and is unknown if the drain did not end', async () => {
    const { scene, world } = await promoted();
    await scene.type('shutdown', { deadline: world.now + 8 * minute });
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(recorded(world).history[0]?.cost).toMatch(
      /^jobs=unknown broken=unknown wait=unknown two_shards=\d+s$/,
    );
    await scene.type('finalize');
    expect(cost(world)).toMatchObject({ jobsFinished: 0, jobsBroken: 0 });
  });

  test('names the jobs that drain.force_after killed, with links and the origin of the setting', async () => {
    const drain = {
      forceAfterMs: 30 * minute,
      chosenIn: { forceAfter: '--set drain.force_after' },
    };
    const { scene, world } = await promoted({ drain });
    world.behaviour.killAllowed = true;
    await scene.type('finalize', { jobId: '90002' });
    const [job] = Object.values(world.jobs).filter(({ name }) => name === 'build 0');
    expect(cost(world)).toMatchObject({
      jobsFinished: 1,
      jobsBroken: 1,
      broken: [
        {
          id: job?.id,
          why: 'killed',
          url: `https://gitlab.example.com/customers/shop/-/jobs/${job?.id}`,
        },
      ],
    });
    expect(recorded(world).deployment.tally?.drain?.forceAfter).toEqual({
      ms: 30 * minute,
      from: '--set drain.force_after',
      by: 'deployer',
      job: '90002',
    });
  });

  test('names the jobs that were lost with their host', async () => {
    const { scene, world } = await promoted();
    scene.simulation.at(10 * minute, (then) => {
      for (const host of hostsOf(then, then.stacks[0] as StackSettings, pink))
        terminateHost(then, host, 'world');
      delete then.infrastructure['pink-linux'];
    });
    await scene.type('finalize');
    expect(cost(world)).toMatchObject({
      jobsFinished: 1,
      jobsBroken: 1,
      broken: [{ why: 'host_gone' }],
    });
  });

  test('counts as unknown, not as zero, if the token does not see the jobs', async () => {
    const { scene, world } = await promoted({ jobs: [{ minutes: 20, visible: false }] });
    const ending = await scene.type('finalize');
    expect(cost(world)).toMatchObject({ jobsFinished: 'unknown', jobsBroken: 'unknown' });
    expect(ending.kind === 'done' && ending.text).toContain(
      'an unknown number of jobs finished while their shard drained, an unknown number lost or interrupted; longest wait of a customer job: unknown',
    );
  });

  test('counts no canary, and states that no job waited if every list was read and has no job', async () => {
    const { scene, world } = await promoted({ jobs: [] });
    const ending = await scene.type('finalize');
    expect(cost(world)).toMatchObject({ jobsFinished: 0, jobsBroken: 0, longestWaitSeconds: 0 });
    expect(recorded(world).history[0]?.cost ?? 'wait=0s').toContain('wait=0s');
    const summary = ending.kind === 'done' ? ending.text : '';
    expect(summary).toContain('no customer job waited; time with two shards');
    expect(summary).not.toContain('longest wait');
  });

  test('leaves the longest wait unknown if one list could not be read', async () => {
    const { world } = await promoted({ jobs: [] });
    const scene = openScene(world, ({ method }) =>
      method === 'listNewestJobs' || method === 'listFinishedJobs'
        ? { kind: 'error_before', failure: 'denied', status: 403 }
        : undefined,
    );
    await scene.type('finalize');
    expect(cost(world)).toMatchObject({ longestWaitSeconds: 'unknown' });
  });

  test('counts no wait of a canary that an earlier run has started', async () => {
    const { scene, world } = await promoted();
    const stack = world.stacks[0] as StackSettings;
    const name = stack.canary.kind === 'job' ? stack.canary.jobName : '';
    const job = submitJob(world, { name, tags: ['nobody'], durationMs: 1000, visible: true });
    Object.assign(job, {
      status: 'success',
      createdAt: world.now - 40 * minute,
      startedAt: world.now,
      finishedAt: world.now + 1000,
      registrationId: registrationsOf(world, stack, purple)[0]?.id,
    });
    await scene.type('finalize');
    expect(cost(world)).toMatchObject({ longestWaitSeconds: 6 });
  });

  test('includes the jobs that were lost with a candidate in retreat', async () => {
    const world = await arrive('promoting');
    const scene = openScene(world);
    for (const index of [1, 2, 3, 4])
      submitJob(world, { name: `build ${index}`, tags: ['linux'], durationMs: 60 * minute });
    await scene.simulation.advance(20_000);
    const stack = world.stacks[0] as StackSettings;
    for (const host of hostsOf(world, stack, purple)) terminateHost(world, host, 'world');
    delete world.infrastructure['purple-linux'];
    const onCandidate = Object.values(world.jobs).filter(
      ({ name, registrationId }) =>
        name.startsWith('build') &&
        world.registrations[registrationId ?? '']?.description === 'purple-linux',
    );
    expect(onCandidate.length).toBeGreaterThan(0);
    const ending = await scene.type('provision');
    expect(ending.kind).toBe('error');
    expect(recorded(world).deployment.phase).toBe('prepared');
    expect(cost(world).broken.map(({ id, why }) => [id, why])).toEqual(
      onCandidate.map(({ id }) => [id, 'host_gone']),
    );
  });
});
