import { expect, test } from '@jest/globals';
import { pink, purple, stackSettings, worldWithActive } from '../fakes/builders.ts';
import { createHost } from '../fakes/hosts/hosts.ts';
import { openScene } from './scene.ts';

const warning = /^ +! .*hosts .*have the Name tag of a manager/;

/** Runs provision while `workers` workers start with the name of purple's manager. */
async function provisionBeside(workers: number) {
  const settings = stackSettings();
  const world = worldWithActive(pink, { stacks: [settings] });
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  const ids: string[] = [];
  for (let index = 0; index < workers; index += 1)
    scene.simulation.at(1000 + index, () => {
      const place = { runnerName: settings.runnerName, shard: purple };
      const host = createHost(world, place, false);
      world.events = world.events.filter(
        ({ event }) => !('hostId' in event && event.hostId === host.id),
      );
      Object.assign(host, { agent: 'online', autoScalingGroup: 'linux-workers' });
      ids.push(host.id);
    });
  scene.story.length = 0;
  const ending = await scene.type('provision');
  return { ending, ids, told: scene.story.filter((line) => warning.test(line)) };
}

test('workers with the Name tag of their manager are reported with their group, once, before the timeout', async () => {
  const { ending, ids, told: warnings } = await provisionBeside(2);
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'HealthcheckTimedOut' } });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('3 running hosts (');
  expect(warnings[0]).toContain('have the Name tag of a manager of purple');
  expect(warnings[0]).toContain('but the key managers is 1');
  expect(ids).toHaveLength(2);
  const why = ending.kind === 'error' ? ending.error.fields.why?.join(' ') : undefined;
  expect(why).toContain('3 running hosts (');
  expect(why).toContain('have the Name tag of a manager of purple');
  for (const id of ids) expect(warnings[0]).toContain(`${id} (Auto Scaling group linux-workers)`);
});

test('a manager without such workers causes no report', async () => {
  const { ending, told: warnings } = await provisionBeside(0);
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  expect(warnings).toEqual([]);
});
