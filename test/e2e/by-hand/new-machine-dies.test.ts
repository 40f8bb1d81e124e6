import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { startHeldJob } from './world/held-job.ts';
import {
  endMachine,
  machineOf,
  printedCommand,
  recordOf,
  runnerOf,
  until,
  whatIsThere,
} from './world/shards.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeEach(() => openDeployed());
afterEach(() => world.close());

/** Whoever drains looks at the other shard as often as the sandbox's runners ask for jobs. */
const set = ['drain.service_poll=500ms', 'healthcheck.evidence_max_age=5m'];

async function typed(words: readonly string[]) {
  const end = await world.run({ args: words, set });
  expect({ words, text: end.stderr, exitCode: end.exitCode }).toMatchObject({ exitCode: 0 });
  return end;
}

async function statusOnceOver(id: number): Promise<string> {
  const job = () => world.sandbox.gitlab.jobs().find((one) => one.id === id);
  await until(() => (job()?.finishedAt ?? null) !== null);
  return `${job()?.status} on ${job()?.runnerId}, started ${job()?.transitions.filter(({ status }) => status === 'running').length}×`;
}

async function openDeployed(options: Parameters<typeof openWorld>[0] = {}): Promise<void> {
  world = await openWorld(options);
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
}

test('the old shard, closed for its drain, is opened again at once; no job is lost and nothing destroyed', async () => {
  await world.close();
  // As long as Systems Manager may call a machine online that has ended.
  await openDeployed({ windows: { agentSeenOnlineMs: 300_000 } });
  const pink = runnerOf(world, 'pink');
  const long = await startHeldJob(world);
  const deploy = world.start({ args: ['deploy', '--runner', 'linux'], set });
  await until(() => recordOf(world)?.closed_at !== undefined);
  const purple = runnerOf(world, 'purple');
  await endMachine(world, 'purple');
  const waiting = world.sandbox.gitlab.submitJob({
    project: 201,
    tags: ['linux'],
    script: ['true'],
  });
  const end = await deploy.ended;
  expect({ text: end.text, exitCode: end.exitCode, code: end.code }).toMatchObject({
    exitCode: 1,
    code: 'ServiceLost',
  });
  expect(end.stderr).toContain(
    '✖ deploy: purple no longer serves; pink is open again, and nothing of it was taken away.\n  why  No machine of purple exists any more: ',
  );
  expect(end.text).toContain('OPENED pink AGAIN: no machine of purple exists any more: ');
  expect(end.text).toContain(`Customers' jobs go to runner ${pink.id} of pink.`);
  expect(runnerOf(world, 'pink')).toMatchObject({ id: pink.id, paused: false, tags: ['linux'] });
  expect(recordOf(world)).toMatchObject({ phase: 'promoted', reopened: { times: 1 } });
  expect(long.status()).toBe('running');
  expect(await statusOnceOver(waiting.id)).toBe(`success on ${pink.id}, started 1×`);
  expect({ pink: whatIsThere(world, 'pink'), purple: whatIsThere(world, 'purple') }).toEqual({
    pink: { registered: true, machines: ['running'], built: true },
    purple: { registered: true, machines: ['terminated'], built: true },
  });
  expect(runnerOf(world, 'purple').id).toBe(purple.id);

  await typed(printedCommand(end.stderr, 'Go back to pink'));
  await typed(['finalize', '--runner', 'linux']);
  long.release();
  expect(await statusOnceOver(long.id)).toBe(`success on ${pink.id}, started 1×`);
  expect(whatIsWrongAtRest(world)).toEqual([]);
});

describe('a drain that is told to stop', () => {
  async function whileItDrains(more: readonly string[] = []) {
    const long = await startHeldJob(world);
    const deploy = world.start({ args: ['deploy', '--runner', 'linux'], set: [...set, ...more] });
    await until(() => recordOf(world)?.closed_at !== undefined);
    return { long, deploy };
  }

  test('while the new machine hangs opens the old shard again, and says so', async () => {
    const pink = runnerOf(world, 'pink');
    const { long, deploy } = await whileItDrains(['healthcheck.evidence_max_age=10s']);
    const asked = () => deploy.text().split('Asking purple for a canary').length;
    // It may have been asked before its intake was closed, too.
    const askedBefore = asked();
    world.sandbox.fleet.hang(machineOf(world, 'purple').id);
    // Until then what was proven a moment before it hung counts.
    await until(() => asked() > askedBefore);
    deploy.kill('SIGTERM');
    const end = await deploy.ended;
    expect({ text: end.text, exitCode: end.exitCode, code: end.code }).toMatchObject({
      exitCode: 130,
      code: 'Cancelled',
    });
    expect(end.stderr).toContain(
      'why  After the signal pink was opened again, as purple is not proven to serve: ',
    );
    expect(runnerOf(world, 'pink')).toMatchObject({ id: pink.id, paused: false });
    expect(recordOf(world)).toMatchObject({ phase: 'promoted' });
    const job = world.sandbox.gitlab.submitJob({
      project: 201,
      tags: ['linux'],
      script: ['true'],
    });
    expect(await statusOnceOver(job.id)).toBe(`success on ${pink.id}, started 1×`);
    await typed(printedCommand(end.stderr, 'Go back to pink'));
    long.release();
    expect(await statusOnceOver(long.id)).toBe(`success on ${pink.id}, started 1×`);
    await typed(['finalize', '--runner', 'linux']);
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });

  test('while the new one serves leaves the old one closed, and says who opens it', async () => {
    const { long, deploy } = await whileItDrains();
    deploy.kill('SIGINT');
    const end = await deploy.ended;
    expect({ text: end.text, code: end.code }).toMatchObject({ code: 'Cancelled' });
    expect(end.stderr).toMatch(
      /Pink was left closed, as purple serves; should purple stop, the next run of finalize opens pink/,
    );
    expect(end.stderr).toMatch(/now {2}purple serves jobs: /);
    expect(runnerOf(world, 'pink')).toMatchObject({ paused: true });
    long.release();
    await typed(printedCommand(end.stderr, 'Go on where it stopped'));
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});

describe('between shutdown and cleanup', () => {
  beforeEach(async () => {
    for (const stage of ['prepare', 'provision', 'shutdown'])
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
  });

  test('the end of the new machine leaves the old one where it is; the printed rollback starts it again', async () => {
    await endMachine(world, 'purple');
    const end = await world.stage('cleanup');
    expect({ text: end.text, code: end.code }).toMatchObject({ code: 'ServiceLost' });
    await expectWayBack(end.stderr);
  });

  test('a new machine that hangs proves nothing, so that the old one is not taken away', async () => {
    world.sandbox.fleet.hang(machineOf(world, 'purple').id);
    const end = await world.stage('cleanup', {
      set: ['healthcheck.timeout=3s', 'healthcheck.evidence_max_age=1s'],
    });
    expect({ text: end.text, code: end.code }).toMatchObject({ code: 'ServiceUnproven' });
    await expectWayBack(end.stderr);
  });

  async function expectWayBack(text: string): Promise<void> {
    expect(whatIsThere(world, 'pink')).toEqual({
      registered: true,
      machines: ['running'],
      built: true,
    });
    await typed(printedCommand(text, 'Go back to pink'));
    const job = world.sandbox.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    expect(await statusOnceOver(job.id)).toBe(
      `success on ${runnerOf(world, 'pink').id}, started 1×`,
    );
    await typed(['finalize', '--runner', 'linux']);
    expect(whatIsWrongAtRest(world)).toEqual([]);
  }
});
