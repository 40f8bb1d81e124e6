import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram } from '../../../support/program.ts';
import { whatIsWrongAtRest } from '../world/at-rest.ts';
import { type Customers, openForBusiness } from '../world/customers.ts';
import { recordOf, runnerOf, whatIsThere } from '../world/shards.ts';
import { openWorld, type World } from '../world/world.ts';

let world: World;
let customers: Customers;
beforeEach(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  // One mistyped job, retried, is its customer's own fault: there are several.
  customers = openForBusiness(world, { names: ['unit', 'lint', 'build', 'package'] });
});
afterEach(async () => {
  customers.close();
  await world.close();
});

const watched = ['bake.poll=500ms', 'bake.jobs=5', 'drain.service_poll=1s'];

async function stages(names: readonly string[], set: readonly string[]): Promise<void> {
  for (const name of names) {
    const end = await world.stage(name, { set, env: noted(name) });
    expect(end.exitCode === 0 ? '' : `${name} ended with ${end.exitCode}: ${end.text}`).toBe('');
  }
}

const fileOf = (name: string) => join(world.folder, `${name}.jsonl`);
const noted = (name: string) => ({ HOSTED_RUNNER_EVIDENCE_FILE: fileOf(name) });

/** What the judge that shares no code with the program says of a deployment, by what its commands have written. */
function judged(names: readonly string[]) {
  const args = [bundledProgram, 'verify', ...names.map(fileOf), '--json'];
  const end = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
  const { findings } = JSON.parse(end.stdout) as {
    findings: { invariant: string; outcome: string; reasons: unknown }[];
  };
  const of = (invariant: string) =>
    findings.find((finding) => finding.invariant === invariant)?.outcome;
  const violated = findings.filter(({ outcome }) => outcome === 'violated');
  return { exitCode: end.status, violated, S7: of('S7'), S19: of('S19') };
}

const accepted = { exitCode: 0, violated: [], S7: 'held', S19: 'held' };

/** Customers' jobs that a shard has failed by its own fault. */
function faultsOf(runnerId: number) {
  return world.sandbox.gitlab
    .jobs()
    .filter((job) => job.runnerId === runnerId && job.failureReason === 'runner_system_failure');
}

test('a promoted shard that is good under its customers’ jobs stays, and the old one is retired', async () => {
  const set = [...watched, 'bake.for=3s'];
  await stages(['prepare', 'provision'], set);
  const pink = runnerOf(world, 'pink');

  const end = await world.stage('finalize', { set, env: noted('finalize') });

  expect(end.exitCode === 0 ? '' : `finalize ended with ${end.exitCode}: ${end.text}`).toBe('');
  const inOrder = [
    'Drained pink: ',
    'Baked purple: healthy, ',
    `Removed runner ${pink.id} of pink`,
    'Destroyed pink: ',
  ];
  expect(inOrder.map((text) => end.text.indexOf(text))).toEqual(
    inOrder.map((text) => end.text.indexOf(text)).sort((one, other) => one - other),
  );
  expect(inOrder.filter((text) => !end.text.includes(text))).toEqual([]);
  expect(judged(['prepare', 'provision', 'finalize'])).toEqual(accepted);
  expect(recordOf(world)).toMatchObject({ phase: 'done' });
  expect(whatIsThere(world, 'pink')).toMatchObject({ registered: false, built: false });
  const { lost, unserved } = await customers.finish();
  expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
    lost: [],
    unserved: [],
    wrong: [],
  });
});

test('one that fails every fifth job is taken back by itself, and no job is lost by us', async () => {
  world.sandbox.settings.change({ runnerName: 'linux', shard: 'purple' }, { failsEvery: 5 });
  const pink = runnerOf(world, 'pink');
  // So long that nothing but a verdict ends it, and rarer faults: a slow machine ends many jobs in between.
  const set = [...watched, 'bake.for=10m', 'bake.faults.baseline=0.0001'];
  await stages(['prepare', 'provision'], set);
  const purple = runnerOf(world, 'purple');
  const aMinuteEach = eachFaultInAMinuteOfItsOwn(purple.id);

  const end = await world.stage('deploy', { set, env: noted('deploy') });
  aMinuteEach.stop();

  expect(judged(['prepare', 'provision', 'deploy'])).toEqual(accepted);
  expect({ text: end.text, exitCode: end.exitCode, code: end.code }).toMatchObject({
    exitCode: 1,
    code: 'TakenBack',
  });
  expect(end.stderr).toMatch(/why {2}\d+ faults of the runner in \d+ jobs, such as job \d+ /);
  expect(end.stderr).toContain('(runner_system_failure)');
  expect(runnerOf(world, 'pink')).toMatchObject({ id: pink.id, paused: false, tags: ['linux'] });

  const again = await world.stage('finalize', { set });
  expect({ text: again.text, exitCode: again.exitCode }).toMatchObject({ exitCode: 0 });
  const faults = faultsOf(purple.id).map(
    ({ id }) => `${id} failed runner_system_failure started 1×`,
  );
  const { lost, unserved } = await customers.finish();
  expect(faults.length).toBeGreaterThanOrEqual(2);
  expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
    lost: faults,
    unserved: [],
    wrong: [],
  });
  expect(whatIsThere(world, 'purple')).toMatchObject({ registered: false, built: false });
});

/** Of one minute one fault counts. The world's clock goes on after each of them, and nobody waits for it. */
function eachFaultInAMinuteOfItsOwn(runnerId: number): { stop(): void } {
  let seen = 0;
  const look = setInterval(() => {
    const count = faultsOf(runnerId).length;
    if (count > seen) world.sandbox.clock.advance(61_000);
    seen = count;
  }, 50);
  return { stop: () => clearInterval(look) };
}
