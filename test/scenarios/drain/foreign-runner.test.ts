import { describe, expect, test } from '@jest/globals';
import { registrationMark } from '../../../src/domain/deployment/onboarding.ts';
import { endPipelines } from '../../broken-stacks/state.ts';
import { addShard, pink, stackSettings } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { recordText } from '../../fakes/world/record-by-hand.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { isCall, killAt, reach } from '../../stages/reach.ts';
import { askedByCanaryAlone } from '../service/promoted.ts';

const line = 'hosted-runner finalize --runner linux';
const hour = 3_600_000;

/** Pink's machine runs under a second runner of the same description as well, and that one has a job. */
async function shared(access: 'asked' | 'none') {
  const stack = askedByCanaryAlone(stackSettings());
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
  test('is waited for with its job, and named', async () => {
    const { world, other } = await shared(access);
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toBe(
      `Job 9000002 "customer build" is running on runner ${other.id}, which has the description of the shard and is not ours.`,
    );
    expect(statesOf(world)).toContain('running');
    expect(world.violations).toEqual([]);
  });

  test('is waited for by the next run where one was killed as it asked for its jobs', async () => {
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

  test('is a person’s to take away, and then the shard goes', async () => {
    const { world, other } = await shared(access);
    const ending = await finalize(world, 5 * hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining' } });
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      `Runner ${other.id}, which has the description of the shard and is not ours, is not paused: delete runner ${other.id} in GitLab, or give it another description there and take its manager off the machines of the shard.`,
      expect.any(String),
    ]);
    expect(world.violations).toEqual([]);
    delete world.registrations[other.id];
    expect(await finalize(world, 5 * hour)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });
});

test('a second runner that is paused is told of at the end, with what a person does about it', async () => {
  const { world, other } = await shared('asked');
  other.paused = true;
  absorb(world);
  const ending = await finalize(world, 10 * hour);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'LeftoversRemain' } });
  expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
    `Delete runner ${other.id} in GitLab, or give it another description there and take its manager off the machines of the shard`,
  );
  expect(world.violations).toEqual([]);
  delete world.registrations[other.id];
  expect(await finalize(world, hour)).toMatchObject({ kind: 'done', phase: 'done' });
});

describe('a runner with our mark that the record does not have', () => {
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

  test('goes with the shard where a deployment of the record made it and no machine contacted it', async () => {
    const { world, id } = await created(thisDeployment);
    expect(await finalize(world, hour)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.registrations[id]).toBeUndefined();
    expect(world.violations).toEqual([]);
  });

  test('stays and is named where the record does not know its deployment', async () => {
    const { world, id } = await created(() => 'of-another-account-1');
    const ending = await finalize(world, hour);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'LeftoversRemain' } });
    expect(world.registrations[id]).toBeDefined();
  });

  test('stays where it has a manager, although GitLab says that it was never contacted', async () => {
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
