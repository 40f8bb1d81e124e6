import { expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { openScene } from '../scene.ts';

const minute = 60_000;

test('a drain whose host dies names the workers that outlive it and removes them afterwards', async () => {
  const stack = stackSettings();
  const { runnerName } = stack;
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  submitJob(world, { name: 'long build', tags: ['linux'], durationMs: 120 * minute });
  await scene.simulation.advance(10_000);
  await scene.type('provision');
  const resource = { kind: 'instance', id: 'i-0worker', state: 'running' } as const;
  const worker = { ...resource, name: 'pink-linux_worker', partOf: 'pink-linux_workers-0' };
  world.tagged.push({ runnerName, shard: pink, resource: worker });
  scene.simulation.at(5 * minute, (then) => {
    const [host] = hostsOf(then, stack, pink);
    if (host !== undefined) terminateHost(then, host, 'world');
    delete then.infrastructure['pink-linux'];
  });
  const { log, phase } = await scene.type('finalize');
  expect(phase).toBe('done');
  const about = [...new Set(log.filter((line) => line.includes('i-0worker')))];
  expect(about).toEqual([
    '! Worker i-0worker of pink-linux_workers-0 is running, and its manager is gone: if a job still runs on it, the end of the job cannot be observed. The worker is removed with the rest of pink.',
    'Removed instance i-0worker "pink-linux_worker" (running): it has the tags of pink and is in no Terraform state.',
  ]);
  const when = (words: string) => log.findIndex((line) => line.includes(words));
  expect(when('! Lost')).toBeLessThan(when('! Worker'));
  expect(when('! Worker')).toBeLessThan(when('Removed instance'));
});

test('a worker that is found before its manager is removed after it', async () => {
  const stack = stackSettings();
  const { runnerName } = stack;
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'shutdown'] as const)
    await scene.type(stage);
  // The manager, from a killed apply, is in no state, and has workers.
  const manager = createHost(world, { runnerName, shard: pink }, false);
  for (const id of ['i-0worker', 'i-1worker']) {
    const resource = { kind: 'instance', id, name: 'pink-linux_worker', state: 'running' } as const;
    world.tagged.push({ runnerName, shard: pink, resource });
  }
  const { log, phase } = await scene.type('finalize');
  expect(phase).toBe('done');
  const removed = log.flatMap((line) => /^Removed instance (\S+)/.exec(line)?.[1] ?? []);
  expect(removed).toEqual([manager.id, 'i-0worker', 'i-1worker']);
  expect(await scene.rest()).toEqual([]);
});
