import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listRunners } from '../../src/adapters/github/runners/runners.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
import { pink } from '../fakes/builders.ts';
import { createSandboxGitHub, registryOf, type SandboxGitHub } from './sandbox-github.ts';

const scope = { kind: 'organization', organization: 'acme' } as const;
const settings = {
  scope: { kind: 'instance' },
  tags: ['linux'],
  runUntagged: false,
  locked: false,
  accessLevel: 'not_protected',
} as const;
let sandbox: SandboxGitHub;
let registry: RunnerRegistry;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
  registry = registryOf(sandbox);
});
afterEach(() => sandbox.close());

/** Creates a shard of two idle runners. */
async function fleet() {
  const { id, token } = await registry.create({
    shard: { shard: pink, runnerName: 'linux' as never },
    settings,
    tags: ['linux'],
    note: '',
  });
  for (const end of ['0', '1']) {
    const name = `${id}-i-0123456789abcdef${end}`;
    sandbox.github.runnerSide.register({ token, name, labels: ['linux'] });
  }
  return id;
}

async function retireAll(id: RegistrationId) {
  const found = await registry.listWorkers(id);
  const workers = found.kind === 'found' ? found.value.map((worker) => worker.id) : [];
  return registry.retireWorkers(id, workers);
}

describe('GitHub’s rate limits', () => {
  test('the primary limit causes an error, not an empty list, if its reset is too far away', async () => {
    await fleet();
    sandbox.github.limit({ perHour: 1 });
    await listRunners(sandbox.client, scope);
    await expect(listRunners(sandbox.client, scope)).rejects.toMatchObject({ kind: 'throttled' });
    await sandbox.clock.sleep(3_600_000);
    expect(await listRunners(sandbox.client, scope)).toHaveLength(2);
  });

  test('the secondary limit delays a call for the reported time', async () => {
    await fleet();
    sandbox.github.limit({ pointsPerMinute: 5 });
    for (let read = 0; read < 5; read += 1) await listRunners(sandbox.client, scope);
    const before = sandbox.clock.elapsed();
    expect(await listRunners(sandbox.client, scope)).toHaveLength(2);
    expect(sandbox.clock.elapsed() - before).toBeGreaterThan(1000);
  });

  test('a removal in the middle of them removes every runner once', async () => {
    const id = await fleet();
    sandbox.github.limit({ pointsPerMinute: 8 });
    const outcomes = async () => (await retireAll(id)).map(({ outcome }) => outcome);
    // The removal step checks its hosts again before a repetition.
    expect(await outcomes()).toEqual(['removed', 'unknown']);
    await sandbox.clock.sleep(60_000);
    expect(await outcomes()).toEqual(['removed']);
    expect(sandbox.github.runners()).toEqual([]);
    expect(sandbox.sent.filter((call) => call.startsWith('DELETE')).length).toBeGreaterThan(2);
  });
});

describe('an unusable response', () => {
  test.each([403, 500, 502, 503])(
    'counts as unknown, never as removed, if it is %s to a DELETE',
    async (status) => {
      const id = await fleet();
      sandbox.faults.add({
        id: 'deaf',
        service: 'github',
        match: { method: 'DELETE' },
        effect: { kind: 'status', status },
      });
      const removals = await retireAll(id);
      expect(removals.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
      expect(sandbox.github.runners()).toHaveLength(2);
      sandbox.faults.clear();
      const again = await retireAll(id);
      expect(again.map(({ outcome }) => outcome)).toEqual(['removed', 'removed']);
    },
  );

  test.each([403, 500])(
    'counts as a failure, never as an empty fleet, if it is %s to the list',
    async (status) => {
      const id = await fleet();
      sandbox.faults.add({
        id: 'deaf',
        service: 'github',
        match: { method: 'GET' },
        effect: { kind: 'status', status },
      });
      await expect(registry.listWorkers(id)).rejects.toMatchObject({ status });
      await expect(registry.retireWorkers(id, [1])).rejects.toMatchObject({ status });
      await expect(registry.retire(id)).rejects.toMatchObject({ status });
    },
  );
});

test('a runner with a known job is refused, and its idle neighbour is removed', async () => {
  const { github } = sandbox;
  const { id, token } = await registry.create({
    shard: { shard: pink, runnerName: 'linux' as never },
    settings,
    tags: ['linux'],
    note: '',
  });
  const arrive = (end: string) =>
    github.runnerSide.register({
      token,
      name: `${id}-i-0123456789abcdef${end}`,
      labels: ['linux'],
    }).credential;
  const credential = arrive('0');
  github.submitJob({ labels: ['linux'], script: ['sleep 60'] });
  const job = github.runnerSide.take(credential);
  await sandbox.clock.sleep(61_000);
  arrive('1');
  const first = await retireAll(id);
  expect(first.map(({ outcome }) => outcome)).toEqual(['busy', 'removed']);
  expect((await retireAll(id)).map(({ outcome }) => outcome)).toEqual(['busy']);
  github.runnerSide.finish({ credential, jobId: job?.id ?? 0, conclusion: 'success' });
  await sandbox.clock.sleep(61_000);
  expect((await retireAll(id)).map(({ outcome }) => outcome)).toEqual(['removed']);
});

test('a runner can be removed under a job that has just started, together with the job', async () => {
  const { github } = sandbox;
  const { id, token } = await registry.create({
    shard: { shard: pink, runnerName: 'linux' as never },
    settings,
    tags: ['linux'],
    note: '',
  });
  const name = `${id}-i-0123456789abcdef0`;
  const { credential } = github.runnerSide.register({ token, name, labels: ['linux'] });
  github.submitJob({ labels: ['linux'], script: ['sleep 60'] });
  github.runnerSide.take(credential);
  expect((await retireAll(id)).map(({ outcome }) => outcome)).toEqual(['removed']);
  expect(github.jobs()).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
});
