import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { killBeforeTheSwitch } from './world/interruptions.ts';
import { endMachine, recordOf, runnerOf, whatIsThere } from './world/shards.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
  for (const stage of ['deploy', 'prepare'])
    expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
  await killBeforeTheSwitch(world);
  expect(runnerOf(world, 'purple')).toMatchObject({ paused: false, tags: ['linux'] });
  expect(recordOf(world)).toMatchObject({ phase: 'promoting' });
  await endMachine(world, 'pink');
});
afterEach(() => world.close());

/** Nothing listens there, so that what every host has to reach is not reached. */
const failingCheck = [
  'healthcheck.evidence.reachability=required',
  'healthcheck.reach=["http://127.0.0.1:1"]',
  'healthcheck.timeout=3s',
];

test.each([
  ['deploy', []],
  ['activate', ['--shard', 'purple']],
])(
  '%s with a failing check leaves the candidate serving that alone serves, and says so',
  async (name, args) => {
    const { id } = runnerOf(world, 'purple');
    const end = await world.stage(name, { args, set: failingCheck });
    expect({ text: end.text, exitCode: end.exitCode, code: end.code }).toMatchObject({
      exitCode: 1,
      code: 'HealthcheckTimedOut',
    });
    expect(end.text).toMatch(
      new RegExp(
        `! purple is left serving, whatever its checks say\\. It is not taken back: no machine of pink exists any more: .*\\.\n! Pause runner ${id} now if its jobs fail\\.`,
      ),
    );
    expect(runnerOf(world, 'purple')).toMatchObject({
      id,
      paused: false,
      tags: expect.arrayContaining(['linux']),
    });
    expect(whatIsThere(world, 'purple')).toEqual({
      registered: true,
      machines: ['running'],
      built: true,
    });
    const job = world.sandbox.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    const found = () => world.sandbox.gitlab.jobs().find((one) => one.id === job.id);
    while ((found()?.finishedAt ?? null) === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(found()).toMatchObject({ status: 'success', runnerId: id });

    // Mended, the same command goes on to the end.
    for (const stage of [[name, ...args], ['finalize']]) {
      const [first = '', ...rest] = stage;
      const mended = await world.stage(first, { args: rest });
      expect({ text: mended.stderr, exitCode: mended.exitCode }).toMatchObject({ exitCode: 0 });
    }
    expect(whatIsWrongAtRest(world)).toEqual([]);
  },
);
