import { expect, test } from '@jest/globals';
import { pink } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import { end, minute, openPromoted, stackOf } from '../service/promoted.ts';

test('a job that a machine was assigned but never took returns to its queue before the runner is removed', async () => {
  const { scene, world } = await openPromoted();
  const [registration] = registrationsOf(world, stackOf(world), pink);
  const customers = { name: 'tests', tags: ['linux'], durationMs: minute, visible: true };
  let [id, tries] = ['', 0];
  while (
    world.jobs[id]?.status !== 'assigned' ||
    world.jobs[id]?.registrationId !== registration?.id
  ) {
    if (tries > 100) throw new Error('pink was given no job');
    id = submitJob(world, customers).id;
    for (let steps = 0; steps < 40 && world.jobs[id]?.status === 'waiting'; steps += 1)
      await scene.simulation.advance(100);
    tries += 1;
  }
  end(world, pink);
  absorb(world);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
  await scene.simulation.advance(10 * minute);
  expect(world.jobs[id]).toMatchObject({ status: 'success' });
  expect(ending.log.filter((line) => line.startsWith('! Lost: ')).join()).not.toContain(id);
});
