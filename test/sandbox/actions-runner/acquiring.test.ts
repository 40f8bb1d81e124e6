import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ActionsRunner } from '../../../sandbox/actions-runner/runner.ts';
import { type Listening, listen } from '../../../sandbox/listening.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import { createSandboxGitHub, type SandboxGitHub } from '../../github/sandbox-github.ts';

let sandbox: SandboxGitHub;
let server: Listening;
let home: string;
let runner: ActionsRunner | undefined;
let ended: Promise<number>;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
  server = await listen(sandbox.github, 0);
  home = mkdtempSync(join(tmpdir(), 'actions-runner-'));
});
afterEach(async () => {
  runner?.terminate();
  await ended;
  await server.close();
  sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

/** A listener that `order` has a job for. */
async function listenFor(ephemeral: boolean): Promise<string[]> {
  const answer = await sandbox.client.request('POST /orgs/acme/actions/runners/registration-token');
  const name = 'pink-linux-i-0123456789abcdef0';
  const log: string[] = [];
  const settings = {
    url: `http://127.0.0.1:${server.port}`,
    token: (answer.data as { token: string }).token,
    version: '2.337.0',
    conduct: 'works',
    checkIntervalMs: 5,
    traceIntervalMs: 5,
    buildsFolder: join(home, 'builds'),
    searchPath: process.env['PATH'] ?? '',
    github: { name, labels: ['linux'], group: 'Default', ephemeral, home },
  } as unknown as ManagerSettings;
  runner = new ActionsRunner({
    settings,
    log: (line) => log.push(line),
    onContact: () => undefined,
    onWorkers: () => undefined,
    now: () => 0,
  });
  ended = runner.run();
  return log;
}

function order(script: string): number {
  return sandbox.github.submitJob({ labels: ['linux'], script: [script] }).jobId;
}

const jobWith = (id: number) => sandbox.github.jobs().find((job) => job.id === id);
const record = () =>
  existsSync(join(home, '_diag'))
    ? readdirSync(join(home, '_diag'))
        .map((file) => readFileSync(join(home, '_diag', file), 'utf8'))
        .join('')
    : '';

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

/** Refuses the claim of the first job as GitHub does that has given it to another one. */
function refuseFirstClaim(status: number): void {
  sandbox.faults.add({
    id: 'claim',
    service: 'github',
    match: { method: 'POST', path: '/runner-side/acquire' },
    effect: { kind: 'status', status },
    times: 1,
  });
}

test('a job that cannot be claimed is skipped, and the next one is run', async () => {
  refuseFirstClaim(409);
  const first = order('true');
  const second = order('true');
  const log = await listenFor(false);
  await until(() => jobWith(second)?.status === 'completed');
  expect(jobWith(second)?.conclusion).toBe('success');
  // Nobody has it: GitHub gives it once more after a minute.
  expect(jobWith(first)).toMatchObject({ status: 'in_progress', delivered: false });
  expect(record()).toContain('INFO Runner] Skipping message Job.');
  expect(log.filter((line) => line.startsWith('Running job'))).toHaveLength(1);
});

test('a claim that was not answered is made again', async () => {
  refuseFirstClaim(502);
  const job = order('true');
  await listenFor(false);
  await until(() => jobWith(job)?.status === 'completed');
  expect(jobWith(job)?.conclusion).toBe('success');
  expect(record()).not.toContain('Skipping message Job.');
});

test('an ephemeral one whose job went to another is off the list, and asks for ever', async () => {
  const other = order('true');
  // Cancelled between the message and the claim.
  sandbox.faults.add({
    id: 'claim',
    service: 'github',
    match: { method: 'POST', path: '/runner-side/acquire' },
    effect: { kind: 'latency', ms: 500 },
    times: 1,
  });
  const log = await listenFor(true);
  await until(() => jobWith(other)?.status === 'in_progress');
  const runId = jobWith(other)?.runId ?? 0;
  await sandbox.client.request('POST /repos/acme/app/actions/runs/{run_id}/cancel', {
    run_id: runId,
  });
  await until(() => sandbox.github.runners().length === 0);
  expect(jobWith(other)?.conclusion).toBe('cancelled');
  await until(() => record().includes('Skipping message Job.'));
  expect(log.at(-1)).toBe('Listening for Jobs');
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await sleep(20);
  expect(isOver).toBe(false);
});

test('a second assignment cancels the job that runs', async () => {
  const job = order('while :; do sleep 0.05; done');
  await listenFor(false);
  await until(() => jobWith(job)?.delivered === true);
  const [{ id } = { id: 0 }] = sandbox.github.runners();
  expect(sandbox.github.assignAgain(id)).toBe(true);
  await until(() => jobWith(job)?.status === 'completed');
  expect(jobWith(job)?.conclusion).toBe('cancelled');
  expect(sandbox.github.assignAgain(id)).toBe(false);
});
