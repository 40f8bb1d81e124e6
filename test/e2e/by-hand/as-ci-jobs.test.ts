import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { everything, readParameters, whatIsWrongAtRest } from './world/at-rest.ts';
import { createPipeline, type PlayedPipeline } from './world/pipeline.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

async function runAll(pipeline: PlayedPipeline, from = 'prepare'): Promise<void> {
  for (const stage of stages.slice(stages.indexOf(from))) {
    const end = await pipeline.run(stage);
    expect({ stage, exitCode: end.exitCode, text: end.stderr }).toEqual({
      stage,
      exitCode: 0,
      text: '',
    });
  }
}

function record() {
  return JSON.parse(readParameters(world.sandbox)['deployment_record'] ?? '{}');
}

function canariesOf({ id }: PlayedPipeline) {
  return world.sandbox.gitlab
    .jobs()
    .filter(({ name, pipelineId }) => name === 'hosted_runner_canary' && pipelineId === id);
}

test('the canary job of the same pipeline proves the candidate, and every job retried does nothing', async () => {
  for (const shard of ['pink', 'purple']) {
    const pipeline = await createPipeline(world);
    await runAll(pipeline);
    const [registration] = world.sandbox.gitlab.runners();
    expect(registration?.description).toBe(`${shard}-linux`);
    const proof = {
      status: 'success',
      runnerId: registration?.id,
      managerId: registration?.managers[0]?.id,
    };
    // One that a quick host takes before the apply has ended proves nothing, and one more follows it.
    const canaries = canariesOf(pipeline);
    expect(canaries).toMatchObject(canaries.length === 2 ? [proof, proof] : [proof]);
    expect(record().deployment).toMatchObject({ id: pipeline.deploymentId, phase: 'done' });
    expect(whatIsWrongAtRest(world)).toEqual([]);
    if (shard === 'pink') continue;
    const before = withoutJobs();
    for (const stage of stages) {
      const end = await pipeline.run(stage);
      expect({ stage, exitCode: end.exitCode, text: end.stdout }).toEqual({
        stage,
        exitCode: 0,
        text: expect.stringContaining('is done; start a new pipeline to deploy again.'),
      });
    }
    expect(withoutJobs()).toEqual(before);
  }
});

describe('two pipelines at once', () => {
  test('the second waits while the first goes on, and adopts what it left when it is cancelled', async () => {
    await runAll(await createPipeline(world));
    const first = await createPipeline(world);
    for (const stage of ['prepare', 'onboard']) {
      expect(await first.run(stage)).toMatchObject({ exitCode: 0 });
    }
    await later();
    const second = await createPipeline(world);
    const before = withoutJobs();
    expect(await second.run('prepare')).toMatchObject({ exitCode: 75, code: 'DeploymentBusy' });
    for (const stage of ['onboard', 'provision']) {
      expect(await second.run(stage)).toMatchObject({ exitCode: 2, code: 'NotPrepared' });
    }
    // Its own canary alone: one that waits on would keep its failed pipeline running.
    expect(canariesOf(second)).toMatchObject([{ status: 'canceled' }]);
    expect({ ...withoutJobs(), jobs: before.jobs }).toEqual(before);

    const building = await first.start('provision');
    await until(() => readParameters(world.sandbox)['deployment_lock'] !== undefined);
    // It stands still at its work while the other one looks.
    building.kill('SIGSTOP');
    expect(await second.run('prepare')).toMatchObject({ exitCode: 3, code: 'LockHeld' });
    building.kill('SIGTERM');
    building.kill('SIGCONT');
    expect((await building.ended).exitCode).toBe(130);
    await first.cancel();

    const candidate = record().deployment.candidate;
    const adopted = await second.run('prepare');
    expect(adopted).toMatchObject({ exitCode: 0 });
    expect(adopted.stdout).toContain(`Adopted: deployment ${first.deploymentId} is `);
    expect(record().deployment).toMatchObject({ id: second.deploymentId, candidate });

    const adoptedWorld = withoutJobs();
    for (const stage of ['prepare', 'onboard', 'provision']) {
      expect(await first.run(stage)).toMatchObject({ exitCode: 3, code: 'PipelineSuperseded' });
    }
    for (const stage of ['shutdown', 'cleanup', 'finalize']) {
      const end = await first.run(stage);
      expect(end).toMatchObject({ exitCode: 0 });
      expect(end.stdout).toContain(`deployment ${second.deploymentId} is newer`);
    }
    expect(withoutJobs()).toEqual(adoptedWorld);
    await runAll(second, 'onboard');
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });

  test('one that was created before the last deployment is superseded', async () => {
    const older = await createPipeline(world);
    await later();
    await runAll(await createPipeline(world));
    const before = withoutJobs();
    for (const stage of ['prepare', 'onboard', 'provision']) {
      expect(await older.run(stage)).toMatchObject({ exitCode: 3, code: 'PipelineSuperseded' });
    }
    for (const stage of ['shutdown', 'cleanup', 'finalize']) {
      expect(await older.run(stage)).toMatchObject({ exitCode: 0 });
    }
    // Its own canary alone, which would wait for ever.
    expect(canariesOf(older)).toMatchObject([{ status: 'canceled' }]);
    expect({ ...withoutJobs(), jobs: before.jobs }).toEqual(before);
  });

  test('that begin at the same instant: one is at it, the others are told to come again', async () => {
    await runAll(await createPipeline(world));
    const pipelines = [];
    for (let count = 0; count < 3; count += 1) {
      await later();
      pipelines.push(await createPipeline(world));
    }
    const ends = await Promise.all(pipelines.map((pipeline) => pipeline.run('prepare')));
    const winners = pipelines.filter((_, at) => ends[at]?.exitCode === 0);
    expect(
      ends.filter(({ exitCode }) => exitCode === 0 || exitCode === 75 || exitCode === 3),
    ).toHaveLength(3);
    expect(winners.map(({ deploymentId }) => deploymentId)).toContain(record().deployment.id);
    const owner = pipelines.find(({ deploymentId }) => deploymentId === record().deployment.id);
    if (owner === undefined) throw new Error('nobody owns the record');
    for (const other of pipelines) if (other !== owner) await other.cancel();
    await runAll(owner, 'onboard');
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});

test('The lock of a job that died on another machine is taken over once the CI says that it is over', async () => {
  await runAll(await createPipeline(world));
  const pipeline = await createPipeline(world);
  expect(await pipeline.run('prepare')).toMatchObject({ exitCode: 0 });
  expect(await pipeline.run('onboard')).toMatchObject({ exitCode: 0 });
  const killed = await pipeline.start('provision');
  await until(() => killed.text().includes('Applied purple'));
  killed.kill('SIGKILL');
  await killed.ended;
  pretendElsewhere();
  const other = await createPipeline(world);
  expect(await other.run('prepare')).toMatchObject({ exitCode: 75, code: 'LockHeld' });
  await other.cancel();
  pipeline.setStatus('provision', 'failed');
  const end = await pipeline.run('provision');
  expect(end).toMatchObject({ exitCode: 0 });
  expect(end.stdout).toContain('Took over the lock of ');
  await runAll(pipeline, 'shutdown');
  expect(whatIsWrongAtRest(world)).toEqual([]);
});

/** The lock as if a process of another machine had it. */
function pretendElsewhere(): void {
  const name = '/gitlab/dedicated/runner/linux/deployment_lock';
  const { parameters } = world.sandbox;
  const { version, value } = parameters.read(name);
  const { nonce, owner, log } = JSON.parse(value());
  const process = `elsewhere${owner.process}`;
  const seen = { version, last: nonce, owner: { nonce, owner }, record: 0 };
  const entry = { entry: 'takeover', log, nonce: 'elsewhere', from: nonce, seen };
  const taken = JSON.stringify({ ...entry, owner: { ...owner, process } });
  parameters.put({ name, value: taken, overwrite: true });
}

function withoutJobs(): { jobs: unknown } {
  return { ...(everything(world) as object), jobs: canaries() };
}

function canaries(): unknown {
  return world.sandbox.gitlab
    .jobs()
    .filter(({ name, status }) => name.includes('canary') && status !== 'pending')
    .map(({ id, status }) => ({ id, status }));
}

/** GitLab tells the creation of a pipeline to the millisecond. */
function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
