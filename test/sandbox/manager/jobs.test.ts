import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive, openSandbox, registerRunner, until } from '../hosts/running-sandbox.ts';

describe('a runner manager', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeEach(async () => {
    world = await openSandbox();
    await registerRunner(world);
  });
  afterEach(() => world.close());

  async function build() {
    const { instanceIds } = await world.sandbox.stacks.apply({
      runnerName: 'linux',
      shard: 'pink',
    });
    const instanceId = instanceIds[0] ?? '';
    await until(() => world.sandbox.fleet.machine(instanceId)?.unit?.contactedAt);
    return instanceId;
  }

  function submit(script: string[]): number {
    return world.sandbox.gitlab.submitJob({ project: 201, tags: ['linux'], script }).id;
  }

  function job(id: number) {
    return world.sandbox.gitlab.jobs().find((row) => row.id === id);
  }

  async function statusOf(id: number, statuses: string[]) {
    return until(() => {
      const row = job(id);
      return row !== undefined && statuses.includes(row.status) && row;
    });
  }

  test('reports a failing script with its exit code', async () => {
    await build();
    const done = await statusOf(submit(['exit 3']), ['success', 'failed']);
    expect(done).toMatchObject({ status: 'failed', failureReason: 'script_failure', exitCode: 3 });
  });

  test('exits without a final update if its job ignores SIGTERM, and leaves no process', async () => {
    const instanceId = await build();
    const mark = join(world.folder, 'job-pid');
    const id = submit(["trap '' TERM", `echo $$ >${mark}`, 'while true; do sleep 0.05; done']);
    const pid = await until(() => existsSync(mark) && Number(readFileSync(mark, 'utf8')));
    const { unit, logFile } = world.sandbox.fleet.machine(instanceId) ?? {};
    unit?.signal('SIGTERM');
    await until(() => unit?.isRunning === false);
    expect(unit?.exitCode).toBe(1);
    await until(() => !isAlive(pid));
    expect(job(id)?.status).toBe('running');
    const log = readFileSync(logFile ?? '', 'utf8').replaceAll(/\u001b\[[\d;]*m/g, '');
    expect(log).toMatch(/WARNING: Forceful shutdown not finished properly +builds=1 /);
    expect(log).toMatch(/FATAL: Service run failed +error=shutdown timed out/);
  });

  test('stops a cancelled job', async () => {
    await build();
    const id = submit(['echo start', 'sleep 3000']);
    await statusOf(id, ['running']);
    const answer = await fetch(`${world.sandbox.url}/api/v4/projects/201/jobs/${id}/cancel`, {
      method: 'POST',
      headers: { 'private-token': world.sandbox.gitlab.deployerToken() },
    });
    expect(answer.status).toBe(201);
    const done = await statusOf(id, ['canceled']);
    expect(done.status).toBe('canceled');
  });

  async function runningJob(): Promise<{ id: number; pid: number }> {
    const mark = join(world.folder, 'job-pid');
    const id = submit([`echo $$ >${mark}`, 'sleep 3000']);
    await statusOf(id, ['running']);
    const pid = await until(() => {
      const text = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
      return text.endsWith('\n') && Number(text);
    });
    return { id, pid };
  }

  test('sends nothing more when its machine hangs, and leaves no process', async () => {
    const instanceId = await build();
    const { id, pid } = await runningJob();
    world.sandbox.fleet.hang(instanceId);
    await until(() => !isAlive(pid));
    // The output that the job sent earlier is read first, even on a slow machine.
    for (let turn = 0; turn < 10; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { updatedAt } = job(id) ?? {};
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(job(id)).toMatchObject({ status: 'running', updatedAt });
    const managerPid = world.sandbox.fleet.machine(instanceId)?.unit?.pid ?? 0;
    expect(isAlive(managerPid)).toBe(true);
    await world.sandbox.fleet.terminate(instanceId);
    expect(isAlive(managerPid)).toBe(false);
  });
});
