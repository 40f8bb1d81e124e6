import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { waitUntil } from './world/running.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterEach(() => world.close());

const count = (text: string, part: string) => text.split(part).length - 1;

/** Lists commands that end jobs, as Systems Manager received them. */
function kills() {
  return world.sandbox.commands
    .list()
    .filter(
      ({ request }) => request.comment === 'hosted-runner: disable the restart, send SIGTERM',
    );
}

test('a job that ignores SIGTERM is killed once, and is reported as lost according to GitLab', async () => {
  const { gitlab } = world.sandbox;
  const { id } = gitlab.submitJob({
    project: 201,
    tags: ['linux'],
    script: ["trap '' TERM", 'while true; do sleep 0.1; done'],
  });
  const job = () => gitlab.jobs().find((one) => one.id === id);
  await waitUntil('it runs', async () => job()?.status === 'running' || undefined);
  const end = await world.stage('deploy', { set: ['drain.force_after=30s'] });
  expect({ exitCode: end.exitCode, text: end.text }).toMatchObject({ exitCode: 0 });
  expect(kills()).toHaveLength(1);
  expect(count(end.text, 'Killed by drain.force_after')).toBe(1);
  expect(count(end.text, `Lost: GitLab still lists job ${id} "`)).toBe(1);
  expect(end.text).toContain(
    `job ${id} was lost: GitLab still listed it as running and will drop it`,
  );
  expect(end.text).not.toContain(`job ${id} was killed`);
  expect(whatIsWrongAtRest(world)).toEqual([]);
});
