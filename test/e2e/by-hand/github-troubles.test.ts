import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FaultEffect } from '../../../sandbox/faults.ts';
import { openWorld, type World } from './world/world.ts';

const prefix = '/gitlab/dedicated/runner/linux/';

let world: World;
beforeEach(async () => {
  world = await openWorld({ runners: 'github', behaviour: { managers: 2 } });
});
afterEach(() => world.close());

const managers = { set: ['managers=2'] };
const stage = (name: string) => world.stage(name, managers);

function trouble(method: string, effect: FaultEffect, times?: number, path = '/runners'): void {
  const id = `${method} ${world.sandbox.faults.list().length}`;
  const limit = times === undefined ? {} : { times };
  world.sandbox.faults.add({ id, service: 'github', match: { method, path }, effect, ...limit });
}
const limited = (status: number): FaultEffect => ({ kind: 'status', status, retryAfterSeconds: 1 });
const answered = (status: number): FaultEffect => ({ kind: 'status', status });

/** Runners, machines and processes of pink; none of them may go before all of it is known. */
function pink() {
  const { github, fleet } = world.sandbox;
  const machines = fleet.list().filter((one) => one.shard === 'pink' && one.state === 'running');
  return {
    runners: github.runners().filter(({ name }) => name.startsWith('pink-')).length,
    machines: machines.length,
    processes: machines.filter(({ id }) => fleet.machine(id)?.unit?.isRunning === true).length,
  };
}
const whole = { runners: 2, machines: 2, processes: 2 };

function parameter(name: string): Record<string, unknown> {
  return JSON.parse(world.sandbox.parameters.read(`${prefix}${name}`).value());
}
const active = () => parameter('deployment_status')['active_shard'];
const phase = () => (parameter('deployment_record')['deployment'] as { phase: string }).phase;

/** A customer's job that runs until the test ends it. */
async function holdJob() {
  const { github } = world.sandbox;
  const file = join(mkdtempSync(join(world.folder, 'held-')), 'end');
  const script = [`while [ ! -e '${file}' ]; do sleep 0.1; done`];
  const { jobId } = github.submitJob({ labels: ['linux'], script });
  const job = () => github.jobs().find(({ id }) => id === jobId);
  while (job()?.status === 'queued') await new Promise((resolve) => setTimeout(resolve, 20));
  return { job, release: () => writeFileSync(file, '') };
}

/** A refusal for good ends the stage; where things stand is said, and nothing was done. */
async function expectRefused(name: string, method: string): Promise<void> {
  trouble(method, answered(403));
  const end = await stage(name);
  expect(end).toMatchObject({ exitCode: 1, code: 'PermissionMissing' });
  expect(end.stderr).toContain('403');
  expect(end.stderr).toMatch(
    /now {2}(?:pink serves jobs: fleet|purple is active, and whether it serves is not)/,
  );
  world.sandbox.faults.clear();
}

/** What became of a removal is not known: it waits, until its job is cancelled. */
async function expectWaits(name: string, method: string): Promise<void> {
  trouble(method, answered(403));
  const one = world.start({ args: [name, '--runner', 'linux'], ...managers });
  let isOver = false;
  void one.ended.then(() => {
    isOver = true;
  });
  while (!isOver && !one.text().includes('is gone is not known'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  one.kill('SIGTERM');
  const { exitCode, text } = await one.ended;
  expect({ text, exitCode }).toMatchObject({ exitCode: 130 });
  world.sandbox.faults.clear();
}

/** It gets over every trouble that was made. */
async function expectDone(name: string): Promise<void> {
  const end = await stage(name);
  const untouched = world.sandbox.faults.list().map(({ id }) => id);
  expect({ ...end, untouched }).toMatchObject({ exitCode: 0, stderr: '', untouched: [] });
}

test('limits, a refusal and errors of GitHub: waited for as told, and nobody counts as gone', async () => {
  expect(await stage('deploy')).toMatchObject({ exitCode: 0, stderr: '' });
  const held = await holdJob();
  await stage('prepare');

  // The promotion may not replace the labels: pink stays active, purple takes no customer's job.
  await expectRefused('provision', 'PUT');
  expect([active(), pink()]).toEqual(['pink', whole]);

  // Both limits and an error in the middle of healthcheck and promotion.
  trouble('GET', limited(403), 2);
  trouble('GET', limited(429), 2, '/actions/runs');
  trouble('PUT', answered(502), 1);
  await expectDone('provision');
  expect([active(), held.job()?.status, pink()]).toEqual(['purple', 'in_progress', whole]);

  // The list is refused: an empty list would have been a drained shard, and purple's cannot be read.
  await expectRefused('shutdown', 'GET');
  expect([held.job()?.status, pink()]).toEqual(['in_progress', whole]);
  held.release();

  // The removal is refused, and why is not known; it comes last, so that the listeners have ended.
  await expectWaits('shutdown', 'DELETE');
  const stopped = { ...whole, processes: 0 };
  expect([held.job()?.conclusion, phase(), pink()]).toEqual(['success', 'drained', stopped]);

  trouble('DELETE', limited(403), 2);
  await expectDone('shutdown');
  expect(pink()).toEqual({ runners: 0, machines: 2, processes: 0 });

  await expectRefused('cleanup', 'GET');
  expect(pink()).toEqual({ runners: 0, machines: 2, processes: 0 });

  trouble('GET', limited(429), 2);
  await expectDone('cleanup');
  expect([active(), phase(), pink()]).toEqual([
    'purple',
    'done',
    { runners: 0, machines: 0, processes: 0 },
  ]);
});
