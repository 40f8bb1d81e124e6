import { expect, test } from '@jest/globals';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { World } from '../../fakes/world/world.ts';
import { fleetWorld, pinkHosts } from '../removal/removal-lines.ts';
import { openScene, pipeline } from '../scene.ts';

/** Shows a `Runner.Worker` for a minute after its host's listener was killed. */
function haunted(world: World, most = 1): Intercept {
  const since = new Map<string, number>();
  return ({ method, args }) => {
    const host = pinkHosts(world)
      .slice(0, most)
      .find(({ id }) => id === args[0]);
    if (host === undefined || method !== 'look') return undefined;
    if (host.process === 'stopped' && !since.has(host.id)) since.set(host.id, world.now);
    const began = since.get(host.id);
    if (began === undefined) return undefined;
    if (world.now - began >= 60_000) Object.assign(host, { process: 'stopped', jobs: [] });
    else Object.assign(host, { process: 'quitting', jobs: ['4711'] });
    return undefined;
  };
}

/** Delays each call of the store. */
function slowly(intercept: Intercept): Intercept {
  return (call) =>
    intercept(call) ??
    (call.port === 'parameters' ? { kind: 'delay', beforeMs: 400, afterMs: 400 } : undefined);
}

test('a worker that outlives its killed listener counts as a broken job, reported at once and at the end', async () => {
  const world = fleetWorld();
  const scene = openScene(world, haunted(world));
  await pipeline(scene, '1-100');
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const [host] = pinkHosts(world);
  const stopped = await scene.type('shutdown');
  const warning = `! This deployment breaks a job: host ${host?.id} runs it, but hosted-runner ended or removed the runner of that host earlier. GitHub cancels the job.`;
  expect(stopped.log.filter((line) => line.startsWith('! This deployment breaks'))).toEqual([
    warning,
  ]);
  const done = await scene.type('cleanup');
  expect(done.phase).toBe('done');
  const cost = done.log.filter((line) => line.startsWith('Summary: '));
  expect(cost.join()).toContain(
    `1 lost or interrupted; job on ${host?.id} was interrupted by this deployment, which had ended its runner;`,
  );
});

test('broken jobs on several hosts count for each host, with one record write after the other', async () => {
  const world = fleetWorld();
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('there is no stack');
  world.stacks[0] = { ...stack, managers: 3 };
  const scene = openScene(world, slowly(haunted(world, 3)));
  await pipeline(scene, '1-100');
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const hosts = pinkHosts(world).map(({ id }) => id);
  const stopped = await scene.type('shutdown');
  expect(stopped).toMatchObject({ kind: 'done' });
  expect(stopped.log.filter((line) => line.startsWith('! This deployment breaks'))).toHaveLength(
    hosts.length,
  );
  const done = await scene.type('cleanup');
  const cost = done.log.filter((line) => line.startsWith('Summary: ')).join();
  expect(cost).toContain('3 lost or interrupted');
  for (const id of hosts) expect(cost).toContain(`job on ${id} was interrupted`);
});
