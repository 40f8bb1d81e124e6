import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { canaryTag } from '../../../src/adapters/canary/canary-tag.ts';
import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import type { GitLabClient } from '../../../src/adapters/gitlab/gitlab-client.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import { createSandboxGitLab, isWrite, type SandboxGitLab } from '../sandbox-gitlab.ts';

let gitlab: SandboxGitLab;
beforeEach(() => {
  gitlab = createSandboxGitLab();
});
afterEach(() => gitlab.world.close());

function open(
  options: {
    deploymentId?: string;
    createdAt?: string;
    input?: string;
    ref?: string;
    client?: GitLabClient;
  } = {},
) {
  return createCanaryProject({
    client: gitlab.client,
    clock: gitlab.clock,
    deploymentId: 'acme/infra-7001',
    runnerName: 'linux',
    project: 'acme/canary',
    ref: 'main',
    input: 'tag',
    ...options,
  });
}

function started(): number {
  return gitlab.sent.filter((call) => call.startsWith('POST')).length;
}

test('starts a pipeline whose job requests the tag', async () => {
  const canary = open();
  expect(canary.tag).toMatch(/^canary-acme-infra-7001-linux-[0-9a-f]{12}$/);
  expect(await canary.findNewest()).toBeUndefined();
  const job = await canary.start();
  expect(job.status).toBe('waiting');
  expect(await canary.findNewest()).toEqual(job);
  expect(await canary.find(job.id)).toEqual(job);
  expect(gitlab.world.gitlab.jobs().at(-1)?.tags).toEqual([canary.tag]);
});

test('finds its job again after a crash, and no job of another deployment', async () => {
  const job = await open().start();
  await open({ deploymentId: 'acme/infra-7002' }).start();
  expect(await open().findNewest()).toEqual(job);
});

test('starts a second canary with a higher id', async () => {
  const canary = open();
  const first = await canary.start();
  await canary.cancel();
  const second = await canary.start();
  expect(Number(second.id)).toBeGreaterThan(Number(first.id));
  expect(await canary.findNewest()).toEqual(second);
});

test('finds a pipeline whose response was lost and starts no second one', async () => {
  const canary = open();
  gitlab.disturb('lose', isWrite);
  const job = await canary.start();
  expect(await canary.findNewest()).toEqual(job);
  expect(started()).toBe(1);
});

test('cancels the leftovers of an abandoned deployment', async () => {
  const next = open({ deploymentId: 'acme/infra-7002' });
  await next.start();
  await open().start();
  expect(await next.cancel({ of: 'acme/infra-7001' as DeploymentId })).toBe(1);
  expect(await next.findNewest()).toMatchObject({ status: 'waiting' });
});

test('cancels every leftover of this deployment only', async () => {
  const canary = open();
  await canary.start();
  await canary.start();
  const other = open({ deploymentId: 'acme/infra-7002' });
  await other.start();
  expect(await canary.cancel()).toBe(2);
  expect(await canary.cancel()).toBe(0);
  expect(await other.findNewest()).toMatchObject({ status: 'waiting' });
});

test('quotes GitLab if the project’s configuration does not fit', async () => {
  await expect(open({ input: 'runnerTag' }).start()).rejects.toMatchObject({
    kind: 'refused',
    effect: 'none',
    source: 'GitLab POST /projects/acme/canary/pipeline',
    detail:
      'Given inputs not defined in the `spec` section of the included configuration file: runnerTag.',
  });
  await expect(open({ ref: 'gone' }).start()).rejects.toMatchObject({
    kind: 'refused',
    detail: 'Reference not found',
  });
});

test('reports the manual steps for the operator', () => {
  expect(open({ deploymentId: '101-5001' }).byHand).toBe(
    'run a pipeline for main in acme/canary with the input tag = canary-101-5001-linux',
  );
});

test.each([
  ['101-5001', 'linux', /^canary-101-5001-linux$/],
  ['acme/infra-1', 'linux', /^canary-acme-infra-1-linux-[0-9a-f]{12}$/],
  ['terminal-a b', 'x'.repeat(300), /^[\w.-]{213}$/],
])('makes a tag that GitLab accepts from %j', (deployment, runnerName, expected) => {
  expect(canaryTag(deployment, runnerName)).toMatch(expected);
});

test.each(['17.5', '17.11', '19.3'] as const)(
  'GitLab %s passes the tag as a variable if it does not support inputs',
  async (version) => {
    gitlab.world.close();
    gitlab = createSandboxGitLab(version);
    const canary = open();
    const { id } = await canary.start();
    const job = gitlab.world.gitlab.jobs().find((one) => String(one.id) === id);
    expect(job?.tags).toEqual([canary.tag]);
  },
);

async function startOthers(count: number): Promise<void> {
  const endpoint = 'projects/acme%2Fcanary/pipeline';
  const body = { ref: 'main', inputs: { tag: 'canary-of-another-stack' } };
  for (let left = count; left > 0; left -= 1) await gitlab.client.raw.post(endpoint, { body });
}

test.each([29, 30, 31, 98, 99, 100, 101])(
  'finds, recognizes and cancels its job behind %d younger pipelines of the project',
  async (count) => {
    const { id } = await open().start();
    await startOthers(count);
    const canary = open();
    expect(await canary.findNewest()).toMatchObject({ id });
    expect(await canary.listIds()).toEqual([id]);
    expect(
      await open({ deploymentId: 'acme/infra-7002' }).listIds('acme/infra-7001' as DeploymentId),
    ).toEqual([id]);
    expect(await canary.cancel()).toBe(1);
  },
);

test('reads the jobs of each other pipeline once', async () => {
  await open().start();
  await startOthers(40);
  const canary = open();
  await canary.listIds();
  gitlab.sent.length = 0;
  await canary.listIds();
  expect(gitlab.sent).toHaveLength(2);
});

test('queries only pipelines since its deployment, with an hour’s margin between clocks', async () => {
  const createdAt = '2026-11-02T08:00:00.000Z';
  await open({ createdAt }).listIds();
  expect(gitlab.sent.join()).toContain('updated_after=2026-11-02T07%3A00%3A00.000Z');
  gitlab.sent.length = 0;
  await open({ createdAt }).listIds('acme/infra-6001' as DeploymentId);
  expect(gitlab.sent.join()).not.toContain('updated_after=2026-11-02T07');
});

test.each(['', '-rollback', '-deploy-2'])(
  'queries only pipelines since a deployment from a terminal, even an abandoned one: %j',
  async (suffix) => {
    const typed = `terminal-20261102T080000Z-ab12${suffix}` as DeploymentId;
    await open({ deploymentId: typed }).listIds();
    expect(gitlab.sent.join()).toContain('updated_after=2026-11-02T07%3A00%3A00.000Z');
    gitlab.sent.length = 0;
    await open().listIds(typed);
    expect(gitlab.sent.join()).toContain('updated_after=2026-11-02T07%3A00%3A00.000Z');
  },
);

async function lists(poll: () => Promise<unknown>): Promise<number> {
  const before = gitlab.sent.length;
  await poll();
  return gitlab.sent.slice(before).filter((call) => /\/pipelines\?/.test(call)).length;
}

/** Cancels a job of the sandbox. */
const firstPipeline = 5001;

async function cancelJob(id: string): Promise<void> {
  await gitlab.client.raw.post(`projects/acme%2Fcanary/jobs/${id}/cancel`);
}

test('polls only the pipeline of a running canary, and the others after half a minute', async () => {
  const canary = open();
  const own = await canary.start();
  const byHand = await open().start();
  expect(await lists(async () => expect(await canary.findNewest()).toEqual(own))).toBe(0);
  await gitlab.clock.sleep(29_000);
  expect(await lists(async () => expect(await canary.findNewest()).toEqual(own))).toBe(0);
  await gitlab.clock.sleep(1_000);
  expect(await canary.findNewest()).toEqual(byHand);
});

test('finds a newer canary in another pipeline at once after a canary failed', async () => {
  const canary = open();
  const own = await canary.start();
  const byHand = await open().start();
  await cancelJob(own.id);
  expect(await canary.findNewest()).toEqual(byHand);
});

test('finds a canary that another run started instead of starting a second one', async () => {
  const canary = open();
  expect(await canary.findNewest()).toBeUndefined();
  const other = await open().start();
  expect(await canary.findNewest()).toEqual(other);
});

test('ignores a deleted pipeline and reads the others', async () => {
  const canary = open();
  await canary.start();
  const other = await open().start();
  await gitlab.client.raw.delete(`projects/acme%2Fcanary/pipelines/${firstPipeline}`);
  expect(await canary.findNewest()).toEqual(other);
});
