import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { everything, whatIsWrongAtRest } from '../world/at-rest.ts';
import { createPipeline, type PlayedPipeline } from '../world/pipeline.ts';
import { openWorld, type World } from '../world/world.ts';

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];
const day = 24 * 60 * 60 * 1000;

let world: World;
let left: PlayedPipeline;
let finished: PlayedPipeline;
beforeAll(async () => {
  world = await openWorld();
  finished = await createPipeline(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize']) {
    expect(await finished.run(stage)).toMatchObject({ exitCode: 0 });
  }
  // One that was left in the middle; the next one adopts it.
  left = await createPipeline(world);
  expect(await left.run('prepare')).toMatchObject({ exitCode: 0 });
  expect(await left.run('onboard')).toMatchObject({ exitCode: 0 });
  await left.cancel();
  const next = await createPipeline(world);
  for (const stage of ['prepare', 'provision', 'finalize']) {
    expect(await next.run(stage)).toMatchObject({ exitCode: 0 });
  }
  for (let count = 0; count < 5; count += 1) {
    world.sandbox.clock.advance(6 * day);
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  }
});
afterAll(() => world.close());

test('thirty days and six deployments later a retried job of an old pipeline does nothing, and says why', async () => {
  expect(whatIsWrongAtRest(world)).toEqual([]);
  const before = withoutJobs();
  for (const stage of stages) {
    const end = await finished.run(stage);
    expect({ stage, exitCode: end.exitCode, said: end.stdout + end.stderr }).toEqual({
      stage,
      exitCode: 0,
      said: expect.stringMatching(/is done; start a new pipeline to deploy again/),
    });
  }
  for (const stage of stages) {
    const end = await left.run(stage);
    const owners = ['prepare', 'onboard', 'provision', 'promote'].includes(stage);
    expect({ stage, exitCode: end.exitCode, code: end.code }).toEqual(
      owners
        ? { stage, exitCode: 3, code: 'PipelineSuperseded' }
        : { stage, exitCode: 0, code: undefined },
    );
  }
  expect(withoutJobs()).toEqual(before);
});

test('with a token that has expired by then every stage ends in a typed error and touches nothing', async () => {
  const { gitlab, clock } = world.sandbox;
  const expiresAt = new Date(clock.now() - day).toISOString();
  const { token } = gitlab.createToken({ user: 'deployer', scopes: ['api'], expiresAt });
  const env = { HOSTED_RUNNER_GITLAB_TOKEN: token };
  const before = withoutJobs();
  const pipeline = await createPipeline(world);
  const end = await pipeline.run('prepare', { env });
  expect(end).toMatchObject({ exitCode: 1, code: 'CredentialsRefused' });
  expect(end.stderr).toContain('Token is expired.');
  await pipeline.cancel();
  const late = await world.stage('deploy', { env });
  expect(late).toMatchObject({ exitCode: 1, code: 'CredentialsRefused' });
  expect(withoutJobs()).toEqual(before);
});

function withoutJobs(): unknown {
  return { ...(everything(world) as object), jobs: undefined };
}
