import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const minute = 60_000;

test('a drain ends with exit code 75 before its credentials expire, and the next run resumes it', async () => {
  const world = await reach('draining');
  const scene = openScene(world);
  world.behaviour.credentialsEndAt = world.now + 30 * minute;
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({
    phase: 'draining',
    error: { code: 'StillDraining', exitCode: 75 },
  });
  expect(world.now).toBeLessThan(world.behaviour.credentialsEndAt);
  delete world.behaviour.credentialsEndAt;
  await scene.type('finalize');
  expect(await scene.rest()).toEqual([]);
});

test.each([
  ['no apply starts in the last ten minutes of the credentials', 'onboarded', 'provision', 9],
  ['no effect starts in the last two minutes of the credentials', 'prepared', 'onboard', 1],
] as const)('ends with exit code 75, because %s', async (_name, place, stage, minutes) => {
  const world = await reach(place);
  const before = structuredClone({ registrations: world.registrations, hosts: world.hosts });
  const scene = openScene(world);
  world.behaviour.credentialsEndAt = world.now + minutes * minute;
  const ending = await scene.type(stage);
  expect(ending).toMatchObject({ error: { code: 'CredentialsEnded', exitCode: 75 } });
  expect({ registrations: world.registrations, hosts: world.hosts }).toEqual(before);
  delete world.behaviour.credentialsEndAt;
  for (const next of ['onboard', 'provision', 'finalize'] as const)
    await scene.type(next, { jobId: `${next} 2` });
  expect(await scene.rest()).toEqual([]);
});

/** Enables all evidence of a health check, to make every query necessary. */
function enableEvidence(world: World): void {
  const stack = world.stacks[0] as StackSettings;
  const { healthcheck } = stack;
  const evidence = {
    ...healthcheck.evidence,
    capacity: 'required',
    reachability: 'required',
    observe: 'required',
  } as const;
  const reach = ['https://gitlab.example.com'];
  world.stacks[0] = {
    ...stack,
    healthcheck: { ...healthcheck, evidence, reach, idleWorkers: 1 },
  };
}

describe.each([
  ['ended', 'CredentialsEnded', 75],
  ['unauthenticated', 'CredentialsRefused', 1],
] as const)('lost credentials (%s)', (failure, code, exitCode) => {
  test.each([
    ['host.look', 'applied', 'host.list'],
    ['host.verifyToken', 'applied', 'host.list'],
    ['host.probeWorkload', 'applied', 'host.list'],
    ['host.reach', 'applied', 'host.list'],
    ['instances.listWorkers', 'applied', 'host.list'],
    ['registry.listWorkers', 'applied', 'host.list'],
    ['canary.findNewest', 'applied', 'host.list'],
    ['registry.readJobHistory', 'healthy', 'registry.route'],
  ] as const)('do not count against the candidate at %s', async (call, place, after) => {
    const world = await reach(place);
    enableEvidence(world);
    // One slot is idle. EC2 is queried only if the runner's metrics do not report this.
    for (const host of Object.values(world.hosts))
      if (call !== 'instances.listWorkers') host.idleWorkers = 1;
    let isChecked = false;
    let struck = 0;
    const scene = openScene(world, ({ port, method }) => {
      isChecked ||= `${port}.${method}` === after;
      if (!isChecked || `${port}.${method}` !== call) return undefined;
      struck += 1;
      return { kind: 'error_before', failure };
    });
    const startedAt = world.now;
    expect(await scene.type('provision')).toMatchObject({ error: { code, exitCode } });
    expect(struck).toBeGreaterThan(0);
    // No later call with these credentials succeeds, so a longer wait cannot help.
    expect(world.now - startedAt).toBeLessThan(5 * minute);
    expect(world.violations).toEqual([]);
  });
});
