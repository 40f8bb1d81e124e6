import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

let gitlab: SandboxGitLab;
beforeEach(() => {
  gitlab = createSandboxGitLab();
});
afterEach(() => gitlab.world.close());

function open() {
  return createCanaryProject({
    client: gitlab.client,
    clock: gitlab.clock,
    deploymentId: 'acme/infra-7001',
    runnerName: 'linux',
    project: 'acme/canary',
    ref: 'main',
    input: 'tag',
  });
}

async function lists(poll: () => Promise<unknown>): Promise<number> {
  const before = gitlab.sent.length;
  await poll();
  return gitlab.sent.slice(before).filter((call) => /\/pipelines\?/.test(call)).length;
}

async function cancelJob(id: string): Promise<void> {
  await gitlab.client.raw.post(`projects/acme%2Fcanary/jobs/${id}/cancel`);
}

test('while a canary has not ended, its pipeline alone is read, and the others after half a minute', async () => {
  const canary = open();
  const own = await canary.start();
  const byHand = await open().start();
  expect(await lists(async () => expect(await canary.findNewest()).toEqual(own))).toBe(0);
  await gitlab.clock.sleep(29_000);
  expect(await lists(async () => expect(await canary.findNewest()).toEqual(own))).toBe(0);
  await gitlab.clock.sleep(1_000);
  expect(await canary.findNewest()).toEqual(byHand);
});

test('once a canary has failed, a newer one in another pipeline is found at once', async () => {
  const canary = open();
  const own = await canary.start();
  const byHand = await open().start();
  await cancelJob(own.id);
  expect(await canary.findNewest()).toEqual(byHand);
});

test('a canary that was started by another run is no reason to start a second one', async () => {
  const canary = open();
  expect(await canary.findNewest()).toBeUndefined();
  const other = await open().start();
  expect(await canary.findNewest()).toEqual(other);
});
