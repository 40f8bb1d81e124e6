import { expect, test } from '@jest/globals';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { World } from '../../fakes/world/world.ts';
import { fleetWorld, pinkHosts } from '../removal/removal-lines.ts';
import { openScene, pipeline } from '../scene.ts';

/** A `Runner.Worker` that is found for a minute once the listener of its host was killed. */
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

/** A store that takes a moment for each call. */
function slowly(intercept: Intercept): Intercept {
  return (call) =>
    intercept(call) ??
    (call.port === 'parameters' ? { kind: 'delay', beforeMs: 400, afterMs: 400 } : undefined);
}

test('a worker that is found after its listener was killed is a job that we broke: told at once, counted, and told at the end', async () => {
  const world = fleetWorld();
  const scene = openScene(world, haunted(world));
  await pipeline(scene, '1-100');
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const [host] = pinkHosts(world);
  const stopped = await scene.type('shutdown');
  const told = `! Broken by this deployment: host ${host?.id} runs a job, and its runner was ended or removed before. GitHub cancels that job.`;
  expect(stopped.log.filter((line) => line.startsWith('! Broken'))).toEqual([told]);
  const done = await scene.type('cleanup');
  expect(done.phase).toBe('done');
  const cost = done.log.filter((line) => line.startsWith('Accounted'));
  expect(cost.join()).toContain(
    `1 lost or interrupted; job on ${host?.id} was cut off by this deployment, which had ended its runner;`,
  );
});

test('what is found on several hosts at once is counted for each, one write of the record after the other', async () => {
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
  expect(stopped.log.filter((line) => line.startsWith('! Broken'))).toHaveLength(hosts.length);
  const done = await scene.type('cleanup');
  const cost = done.log.filter((line) => line.startsWith('Accounted')).join();
  expect(cost).toContain('3 lost or interrupted');
  for (const id of hosts) expect(cost).toContain(`job on ${id} was cut off`);
});
