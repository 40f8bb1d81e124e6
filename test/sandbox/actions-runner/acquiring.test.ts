import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { SandboxGitHub } from '../../github/sandbox-github.ts';
import { type ListenerWorld, openListenerWorld, type Started } from './listener.ts';

let world: ListenerWorld;
let sandbox: SandboxGitHub;
let started: Started;
beforeEach(async () => {
  world = await openListenerWorld();
  sandbox = world.sandbox;
});
afterEach(async () => {
  started.runner.terminate();
  await started.ended;
  await world.close();
});

/** Starts a listener that can take the ordered job. */
async function listenFor(ephemeral: boolean): Promise<readonly string[]> {
  started = world.start({ token: await world.newToken(), labels: ['linux'], ephemeral });
  return started.log;
}

function order(script: string): number {
  return sandbox.github.submitJob({ labels: ['linux'], script: [script] }).jobId;
}

const jobWith = (id: number) => sandbox.github.jobs().find((job) => job.id === id);
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

/** Refuses the claim of the first job, like a GitHub that gave it to another runner. */
function refuseFirstClaim(status: number): void {
  sandbox.faults.add({
    id: 'claim',
    service: 'github',
    match: { method: 'POST', path: '/runner-side/acquire' },
    effect: { kind: 'status', status },
    times: 1,
  });
}

test('a job that cannot be acquired is skipped, and the next one is run', async () => {
  refuseFirstClaim(409);
  const first = order('true');
  const second = order('true');
  const log = await listenFor(false);
  await until(() => jobWith(second)?.status === 'completed');
  expect(jobWith(second)?.conclusion).toBe('success');
  // No runner has the job, so GitHub offers it again after a minute.
  expect(jobWith(first)).toMatchObject({ status: 'in_progress', delivered: false });
  expect(world.record()).toContain('INFO Runner] Skipping message Job.');
  expect(log.filter((line) => line.startsWith('Running job'))).toHaveLength(1);
});

test('an acquire request without a response is repeated', async () => {
  refuseFirstClaim(502);
  const job = order('true');
  await listenFor(false);
  await until(() => jobWith(job)?.status === 'completed');
  expect(jobWith(job)?.conclusion).toBe('success');
  expect(world.record()).not.toContain('Skipping message Job.');
});

test('an ephemeral runner whose job went to another leaves the list, and polls forever', async () => {
  const other = order('true');
  // The job is cancelled between the message and the claim.
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
  await until(() => world.record().includes('Skipping message Job.'));
  expect(log.at(-1)).toBe('Listening for Jobs');
  let isOver = false;
  void started.ended.then(() => {
    isOver = true;
  });
  await sleep(20);
  expect(isOver).toBe(false);
});

test('a second assignment cancels the running job', async () => {
  const job = order('while :; do sleep 0.05; done');
  await listenFor(false);
  await until(() => jobWith(job)?.delivered === true);
  const [{ id } = { id: 0 }] = sandbox.github.runners();
  expect(sandbox.github.assignAgain(id)).toBe(true);
  await until(() => jobWith(job)?.status === 'completed');
  expect(jobWith(job)?.conclusion).toBe('cancelled');
  expect(sandbox.github.assignAgain(id)).toBe(false);
});
