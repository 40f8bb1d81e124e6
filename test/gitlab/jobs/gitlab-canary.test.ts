import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CreatedPipeline } from '../../../sandbox/gitlab/gitlab.ts';
import { createNoCanary } from '../../../src/adapters/canary/no-canary.ts';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { createPipelineCanaries } from '../../../src/adapters/gitlab/canary/pipeline-canary.ts';
import type { GitLabClient } from '../../../src/adapters/gitlab/gitlab-client.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import type { CanaryJobs } from '../../../src/ports/canary.ts';
import { register, runnerClient } from '../../sandbox/gitlab/protocol/runner-client.ts';
import { createSandboxGitLab, isWrite, type SandboxGitLab } from '../sandbox-gitlab.ts';

let gitlab: SandboxGitLab;
let pipeline: CreatedPipeline;
let canary: CanaryJobs;

beforeEach(() => {
  gitlab = createSandboxGitLab();
  pipeline = gitlab.world.gitlab.createPipeline({ project: 'acme/runners' });
  canary = open();
});
afterEach(() => gitlab.world.close());

function open(options: { runnerName?: string; client?: GitLabClient; of?: CreatedPipeline } = {}) {
  const { runnerName = 'linux', client = gitlab.client, of = pipeline } = options;
  return createCanaryJob({
    client,
    clock: gitlab.clock,
    projectId: 101,
    pipelineId: of.id,
    pipelineIid: of.iid,
    pipelineUrl: `https://gitlab.example.com/acme/runners/-/pipelines/${of.id}`,
    runnerName,
    jobName: 'hosted_runner_canary',
  });
}

function first(): number {
  return pipeline.jobs.find((job) => job.name === 'hosted_runner_canary')?.id ?? 0;
}

test('names its tag after the pipeline and the stack', () => {
  expect(canary.tag).toBe(`canary-101-${pipeline.iid}-linux`);
});

test('reports the manual steps for the operator', () => {
  expect(canary.byHand).toBe(
    `press Retry on job "hosted_runner_canary" of https://gitlab.example.com/acme/runners/-/pipelines/${pipeline.id}, then on the job that waits for it`,
  );
});

describe('the search for a canary', () => {
  test('finds the newest job, including retried ones', async () => {
    gitlab.world.gitlab.setJobStatus(first(), 'failed', 'script_failure');
    expect(await canary.find(String(first()))).toMatchObject({
      status: 'failed',
      failureReason: 'script_failure',
    });
    const started = await canary.start();
    expect(await canary.findNewest()).toEqual(started);
    expect(await canary.find(String(first()))).toMatchObject({ status: 'failed' });
  });

  test('finds only its own stack in a pipeline of many', async () => {
    pipeline = gitlab.world.gitlab.createPipeline({
      project: 'acme/runners',
      runnerNames: ['linux', 'linux-gpu'],
    });
    const gpu = pipeline.jobs.find((job) => job.name === 'hosted_runner_canary: [linux-gpu]');
    expect(await open({ runnerName: 'linux-gpu' }).findNewest()).toMatchObject({
      id: String(gpu?.id),
    });
  });

  test('finds nothing if the pipeline has no canary of this stack', async () => {
    expect(await open({ runnerName: 'windows' }).findNewest()).toBeUndefined();
    expect(await canary.find('999999999')).toBeUndefined();
  });

  test('reports the runner and manager on which the canary ran', async () => {
    const { id, token } = await register(gitlab.world, { tag_list: [canary.tag] });
    const runner = runnerClient(gitlab.world, token, { systemId: 's_one' });
    const { body } = await runner.request();
    expect(await canary.findNewest()).toMatchObject({
      status: 'running',
      registrationId: String(id),
    });
    await runner.update(body, 'success');
    const job = await canary.findNewest();
    expect(job).toMatchObject({ status: 'success', registrationId: String(id), systemId: 's_one' });
    expect(job?.workerId).toBe(gitlab.world.gitlab.runners()[0]?.managers[0]?.id);
  });
});

describe('the listed canaries', () => {
  test('include jobs of the deployment’s pipeline by id, also retried ones, and no others', async () => {
    const other = gitlab.world.gitlab.createPipeline({ project: 'acme/runners' });
    gitlab.world.gitlab.setJobStatus(first(), 'failed');
    const started = await canary.start();
    const { id: foreign } = gitlab.world.gitlab.submitJob({
      project: 201,
      name: 'hosted_runner_canary',
      tags: [canary.tag],
      script: ['true'],
    });
    const ids = await canary.listIds();
    expect([...ids].sort()).toEqual([String(first()), started.id].sort());
    expect(ids).not.toContain(String(foreign));
    expect(await open({ of: other }).listIds(`101-${pipeline.id}` as DeploymentId)).toEqual(ids);
    expect(await canary.listIds('102-1' as DeploymentId)).toEqual([]);
  });

  test('include the jobs of a pipeline that a terminal resumes', async () => {
    const name = { runnerName: 'linux', jobName: 'hosted_runner_canary' };
    const others = createPipelineCanaries(gitlab.client, name);
    const deploymentId = `101-${pipeline.id}`;
    const from = createNoCanary({ deploymentId, runnerName: 'linux', others });
    expect(await from.listIds()).toEqual([String(first())]);
    expect(await from.cancel()).toBe(1);
    expect(await canary.findNewest()).toMatchObject({ status: 'canceled' });
    const none = createNoCanary({ deploymentId: 'terminal-1', runnerName: 'linux', others });
    expect([await none.listIds(), await none.cancel()]).toEqual([[], 0]);
  });
});

describe('a canary start', () => {
  test('retries the last job under a higher id', async () => {
    gitlab.world.gitlab.setJobStatus(first(), 'success');
    const started = await canary.start();
    expect(Number(started.id)).toBeGreaterThan(first());
    expect(started.status).toBe('waiting');
  });

  test('plays a manual job', async () => {
    gitlab.world.gitlab.setJobStatus(first(), 'manual');
    expect(await canary.start()).toMatchObject({ id: String(first()), status: 'waiting' });
  });

  test('starts no second canary while one is alive', async () => {
    await expect(canary.start()).rejects.toMatchObject({
      kind: 'denied',
      effect: 'none',
      detail: '403 Forbidden - Job is not retryable',
    });
  });

  test('finds the job whose response was lost and sends nothing again', async () => {
    gitlab.world.gitlab.setJobStatus(first(), 'failed');
    gitlab.disturb('lose', isWrite);
    const started = await canary.start();
    expect(Number(started.id)).toBeGreaterThan(first());
    expect(gitlab.sent.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  test('names the missing job', async () => {
    await expect(open({ runnerName: 'windows' }).start()).rejects.toMatchObject({
      kind: 'refused',
      detail: `the pipeline has no job "hosted_runner_canary" with the tag canary-101-${pipeline.iid}-windows`,
    });
  });
});

describe('a canary cancellation', () => {
  test('cancels every running canary and counts it', async () => {
    expect(await canary.cancel()).toBe(1);
    expect(await canary.findNewest()).toMatchObject({ status: 'canceled' });
    expect(await canary.cancel()).toBe(0);
  });

  test('cancels the canary of an abandoned pipeline, and no other', async () => {
    const next = gitlab.world.gitlab.createPipeline({ project: 'acme/runners' });
    const nextCanary = open({ of: next });
    expect(await nextCanary.cancel({ of: `101-${pipeline.id}` as DeploymentId })).toBe(1);
    expect(await canary.findNewest()).toMatchObject({ status: 'canceled' });
    expect(await nextCanary.findNewest()).toMatchObject({ status: 'waiting' });
  });

  test('checks the job if the response was lost', async () => {
    gitlab.disturb('lose', isWrite);
    expect(await canary.cancel()).toBe(1);
  });
});

describe('canary calls with a fine-grained token', () => {
  const reads = ['Pipeline: Read', 'Job: Read', 'Project: Read'];
  const as = (...permissions: string[]) => {
    const order = { user: 'deployer', scopes: ['granular'], permissions };
    return open({ client: gitlab.as(gitlab.world.gitlab.createToken(order).token) });
  };

  test.each([
    ['Pipeline: Read', 'pending', (of: CanaryJobs) => of.findNewest()],
    ['Job: Run', 'failed', (of: CanaryJobs) => of.start()],
    ['Job: Run', 'manual', (of: CanaryJobs) => of.start()],
    ['Job: Update', 'pending', (of: CanaryJobs) => of.cancel()],
    ['Job: Update', 'canceling', (of: CanaryJobs) => of.cancel({ machineIsGone: true })],
  ] as const)(
    'names %s if it is missing for a job that is %s',
    async (permissions, status, act) => {
      if (status !== 'pending') gitlab.world.gitlab.setJobStatus(first(), status as never);
      const others = reads.filter((one) => one !== permissions);
      await expect(act(as(...others))).rejects.toMatchObject({
        kind: 'denied',
        ground: { kind: 'missing_permission', permissions, place: 'the project' },
      });
    },
  );
});
