import { describe, expect, test } from '@jest/globals';
import { registrationMark } from '../../../src/domain/deployment/onboarding.ts';
import { endPipelines } from '../../broken-stacks/state.ts';
import { addShard, pink, stackSettings } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { recordText } from '../../fakes/world/record-by-hand.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { isCall, killAt, reach } from '../../stages/reach.ts';
import { removeHostAccess } from '../service/promoted.ts';

const line = 'hosted-runner finalize --runner linux';
const hour = 3_600_000;

/**
 * Opens a drain while pink's machine also works for a second runner with the same description and a
 * job.
 */
async function shared(access: 'asked' | 'none') {
  const stack = removeHostAccess(stackSettings());
  const world = await reach('promoted', access === 'none' ? { stack } : {});
  endPipelines(world);
  const { registration } = addShard(world, { shard: pink, tags: ['linux', 'big'] });
  absorb(world);
  submitJob(world, { name: 'customer build', tags: ['linux', 'big'], durationMs: 4 * hour });
  await createSimulation({ world }).advance(30_000);
  return { world, other: registration };
}

const finalize = (world: World, forMs: number) =>
  type(world, line, { drive: { deadline: world.now + forMs } });
const statesOf = (world: World) => hostsOf(world, stackOf(world), pink).map(({ state }) => state);

describe.each(['asked', 'none'] as const)('a second runner of the shard (hosts %s)', (access) => {
  test('delays the drain with its job, and the error names it', async () => {
    const { world, other } = await shared(access);
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toBe(
      `Job 9000002 "customer build" is running on runner ${other.id}, which has the description of the shard but was not created by hosted-runner.`,
    );
    expect(statesOf(world)).toContain('running');
    expect(world.violations).toEqual([]);
  });

  test('delays the next run if the first run was killed while it listed the jobs', async () => {
    const { world, other } = await shared(access);
    const killed = await type(world, line, {
      intercept: killAt(isCall('registry', 'listJobs', other.id)),
    });
    expect(killed.kind).toBe('killed');
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(statesOf(world)).toContain('running');
    expect(world.violations).toEqual([]);
  });

  test('stays until an operator removes it, and then the shard is removed', async () => {
    const { world, other } = await shared(access);
    const ending = await finalize(world, 5 * hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      `Runner ${other.id}, which has the description of the shard but was not created by hosted-runner, is not paused: delete runner ${other.id} in GitLab, or give it another description there and remove its manager from the machines of the shard.`,
      expect.any(String),
    ]);
    expect(world.violations).toEqual([]);
    delete world.registrations[other.id];
    expect(await finalize(world, 5 * hour)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });
});

test('a paused second runner is reported at the end with the action for the operator', async () => {
  const { world, other } = await shared('asked');
  other.paused = true;
  absorb(world);
  const ending = await finalize(world, 10 * hour);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'LeftoversRemain' } });
  expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
    `Delete runner ${other.id} in GitLab, or give it another description there and remove its manager from the machines of the shard`,
  );
  expect(world.violations).toEqual([]);
  delete world.registrations[other.id];
  expect(await finalize(world, hour)).toMatchObject({ kind: 'done', phase: 'done' });
});

describe('a runner with the mark of hosted-runner that the record lacks', () => {
  async function created(byDeployment: (world: World) => string) {
    const world = await reach('promoted');
    const stack = stackOf(world);
    const { id } = addRegistration(world, {
      shard: { runnerName: stack.runnerName, shard: pink },
      settings: stack.registration,
      tags: [],
      note: registrationMark(byDeployment(world)),
    });
    absorb(world);
    return { world, id };
  }
  const thisDeployment = (world: World) => JSON.parse(recordText(world)).deployment.id;

  test('disappears with the shard if a deployment of the record created it and no machine contacted it', async () => {
    const { world, id } = await created(thisDeployment);
    expect(await finalize(world, hour)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.registrations[id]).toBeUndefined();
    expect(world.violations).toEqual([]);
  });

  test('stays, with its name in the error, if the record does not know its deployment', async () => {
    const { world, id } = await created(() => 'of-another-account-1');
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'LeftoversRemain' } });
    expect(world.registrations[id]).toBeDefined();
  });

  test('stays if it has a manager, although GitLab reports no contact', async () => {
    const { world, id } = await created(thisDeployment);
    const registration = world.registrations[id];
    const [manager] = Object.values(world.registrations).flatMap(({ managers }) => managers);
    if (manager === undefined) throw new Error('no runner has a manager');
    registration?.managers.push({ ...manager, id: manager.id + 1000 });
    absorb(world);
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error' });
    expect(world.registrations[id]).toBeDefined();
  });
});
