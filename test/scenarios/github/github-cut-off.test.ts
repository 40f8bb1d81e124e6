import { expect, test } from '@jest/globals';
import { fleetWorld, pinkHosts } from '../removal/removal-lines.ts';
import { openScene, pipeline } from '../scene.ts';

/** A `Runner.Worker` that is found for a minute once the listener of its host was killed. */
function haunted(world: ReturnType<typeof fleetWorld>) {
  let since: number | undefined;
  return ({ method, args }: { method: string; args: readonly unknown[] }) => {
    const [host] = pinkHosts(world);
    if (host === undefined || args[0] !== host.id) return undefined;
    if (method === 'look' && host.process === 'stopped') {
      since ??= world.now;
      if (world.now - since < 60_000) Object.assign(host, { process: 'quitting', jobs: ['4711'] });
    } else if (method === 'look' && since !== undefined && world.now - since >= 60_000)
      Object.assign(host, { process: 'stopped', jobs: [] });
    return undefined;
  };
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
