import { afterEach, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from '../world/at-rest.ts';
import { startHeldJob } from '../world/held-job.ts';
import { createPipeline } from '../world/pipeline.ts';
import { endMachine, recordOf, runnerOf, until, whatIsThere } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import {
  allGood,
  openSteered,
  promotedWorld,
  sayOfAlarm,
  sayOfQuery,
  stages,
  startWatch,
  steered,
  takenBack,
} from './steered.ts';

let world: World;
afterEach(() => world?.close());

const said = ({ text, exitCode, code }: Awaited<ReturnType<World['stage']>>) => ({
  text,
  exitCode,
  code,
});

test('a query without a value is waited for, a new pipeline comes again, a hold suspends the verdict, and an alarm takes it back', async () => {
  world = await promotedWorld();
  const watch = startWatch(world);
  await watch.says('Waiting: purple is watched, ');

  sayOfQuery(world);
  const pipeline = await createPipeline(world);
  const other = await pipeline.run('prepare', { set: steered });
  await pipeline.cancel();
  expect(other.code === 'DeploymentBusy' ? other.exitCode : other.text).toBe(75);

  expect(await world.stage('hold', { args: ['--reason', 'lunch'] })).toMatchObject({ exitCode: 0 });
  await watch.says('; held by ');
  const looks = countLooks(world);
  sayOfAlarm(world, 'ALARM');
  await until(() => looks.bad.length > 5);
  expect(recordOf(world)).toMatchObject({ phase: 'drained' });
  expect(await world.stage('release')).toMatchObject({ exitCode: 0 });

  const end = await watch.ended;
  looks.stop();
  expect(said(end)).toMatchObject(takenBack);
  expect(end.stderr).toContain('why  cloudwatch_alarms: bad in ');
  expect(end.stderr).toContain('runner-errors: ALARM: 7 errors');
  expect(runnerOf(world, 'pink')).toMatchObject({ paused: false, tags: ['linux'] });
  await stages(world, ['finalize'], steered);
  expect(whatIsWrongAtRest(world)).toEqual([]);
});

test('a shard that has turned bad while it drained the old one gives its place up; jobs run on both, and none is lost', async () => {
  world = await openSteered();
  await stages(world, ['prepare'], steered);
  const onPink = await startHeldJob(world);
  await stages(world, ['provision'], steered);
  const [pink, purple] = [runnerOf(world, 'pink'), runnerOf(world, 'purple')];
  const shutdown = world.start({ args: ['shutdown', '--runner', 'linux'], set: steered });
  await until(() => runnerOf(world, 'pink').paused);
  const onPurple = await startHeldJob(world);
  const looks = countLooks(world);
  sayOfAlarm(world, 'ALARM');

  await until(() => !runnerOf(world, 'pink').paused);
  const openedAt = performance.now();
  looks.stop();
  const late = [await startHeldJob(world)];
  // Until purple closes both are open, and GitLab gives a job to whoever asks first.
  while (jobOf(late.at(-1)?.id)?.runnerId === purple.id) late.push(await startHeldJob(world));
  const servedAt = performance.now();
  expect([onPink.status(), onPurple.status()]).toEqual(['running', 'running']);
  for (const job of [onPink, onPurple, ...late]) job.release();
  expect(said(await shutdown.ended)).toMatchObject(takenBack);
  await stages(world, ['finalize'], steered);
  expect([onPink, onPurple].map(({ id }) => jobOf(id))).toMatchObject([
    { status: 'success', runnerId: pink.id },
    { status: 'success', runnerId: purple.id },
  ]);
  expect(late.map(({ id }) => jobOf(id)?.status)).toEqual(late.map(() => 'success'));
  expect(jobOf(late.at(-1)?.id)).toMatchObject({ runnerId: pink.id });
  expect(whatIsWrongAtRest(world)).toEqual([]);
  const [, , verdictAt = 0] = looks.bad;
  tellTimes({ opened: openedAt - verdictAt, served: servedAt - verdictAt });
});

test('a way back that has died is told of, and the new one is watched on; too few jobs are waited for until the watching ends', async () => {
  const short = [...steered, 'bake.for=1s'];
  world = await openSteered();
  sayOfAlarm(world, 'INSUFFICIENT_DATA');
  await stages(world, ['prepare', 'provision'], short);
  const watch = startWatch(world, { set: short });
  await watch.says('runner-errors: INSUFFICIENT_DATA');
  await endMachine(world, 'pink');
  sayOfAlarm(world, 'ALARM');
  await watch.says('There is no way back to pink: ');
  expect(recordOf(world)).toMatchObject({ phase: 'drained' });
  allGood(world);
  const end = await watch.ended;
  expect(said(end)).toMatchObject({ exitCode: 0 });
  expect(end.text).toContain('Baked purple: healthy, ');
  await stages(world, ['finalize'], short);
  expect(whatIsWrongAtRest(world)).toEqual([]);

  const few = [...short, 'bake.jobs=5', 'bake.at_most=1s'];
  const next = await world.stage('deploy', { set: few });
  expect(said(next)).toMatchObject({ exitCode: 0 });
  expect(next.text).toContain("Baked pink: inconclusive, 0 of 5 customers' jobs have ended there");
  expect(whatIsWrongAtRest(world)).toEqual([]);
});

test('whoever names another deployment at a terminal is told of the one that is watched, by whichever way it is named', async () => {
  world = await promotedWorld();
  const watch = startWatch(world);
  await watch.says('Waiting: purple is watched, ');
  const named = await world.stage('prepare', { args: ['--deployment', 'friday'], set: steered });
  expect(said(named)).toMatchObject({ exitCode: 75, code: 'DeploymentBusy' });
  expect(named.text).toContain('still watches purple under customers');
  const byVariable = await world.stage('prepare', {
    set: steered,
    env: { HOSTED_RUNNER_DEPLOYMENT: 'friday' },
  });
  expect(said(byVariable)).toMatchObject({ exitCode: 75, code: 'DeploymentBusy' });
  watch.kill('SIGTERM');
  await watch.ended;
});

test('a status edited by hand stops what a verdict would do, and a person’s rollback waits for nobody', async () => {
  world = await promotedWorld();
  const watch = startWatch(world);
  await watch.says('Waiting: purple is watched, ');
  const status = setStatus('pink', 'purple');
  sayOfAlarm(world, 'ALARM');
  const end = await watch.ended;
  expect(said(end)).toMatchObject({ exitCode: 3, code: 'FactsContradict' });
  expect(runnerOf(world, 'pink')).toMatchObject({ paused: true });
  status.restore();
  allGood(world);

  const again = startWatch(world, { command: 'bake' });
  await again.says('Waiting: purple is watched, ');
  const back = await world.stage('rollback', { set: steered });
  expect(said(back)).toMatchObject({ exitCode: 0 });
  expect(said(await again.ended)).toMatchObject({ exitCode: expect.any(Number) });
  expect(runnerOf(world, 'pink')).toMatchObject({ paused: false, tags: ['linux'] });
  await stages(world, ['finalize'], steered);
  expect(whatIsWrongAtRest(world)).toEqual([]);
  expect(whatIsThere(world, 'purple')).toMatchObject({ registered: false, built: false });
});

function jobOf(id: number | undefined) {
  return world.sandbox.gitlab.jobs().find((job) => job.id === id);
}

function setStatus(active: string, inactive: string) {
  const { parameters } = world.sandbox;
  const name = '/gitlab/dedicated/runner/linux/deployment_status';
  const before = parameters.read(name).value();
  const put = (value: string) => parameters.put({ name, value, overwrite: true });
  put(JSON.stringify({ active_shard: active, inactive_shard: inactive }));
  return { restore: () => put(before) };
}

/** When CloudWatch was asked while an alarm was on, in milliseconds of this process. */
function countLooks({ sandbox }: World): { readonly bad: number[]; stop(): void } {
  const { faults, signals } = sandbox;
  const usual = faults.pick;
  const bad: number[] = [];
  faults.pick = (call) => {
    if (
      call.operation === 'DescribeAlarms' &&
      signals.alarms().some(({ state }) => state === 'ALARM')
    )
      bad.push(performance.now());
    return usual(call);
  };
  return {
    bad,
    stop: () => {
      faults.pick = usual;
    },
  };
}

/** Told and held to nothing: machines differ. Of our own it is less than 5 s in virtual time. */
function tellTimes({ opened, served }: { opened: number; served: number }): void {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  process.stdout.write(
    `From the verdict until the old shard was open ${seconds(opened)}, until it ran a job ${seconds(served)}\n`,
  );
}
