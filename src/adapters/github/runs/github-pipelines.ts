import { isPortFailure } from '../../../ports/failure.ts';
import type { OwnerState, Pipelines } from '../../../ports/pipelines.ts';
import type { GitHubClient } from '../github-client.ts';
import { listRunJobs, type RunJob, type RunReference, readRun } from './runs.ts';

export interface GitHubPipelinesOptions {
  /** Returns a client that may read runs (`actions: read`). It is created on first use. */
  readonly client: () => Promise<GitHubClient>;
  /** Job of this process, as in its Run. Undefined outside GitHub. */
  readonly ownJobId?: string | undefined;
}

/** Statuses of a job that neither runs nor starts without an approval or another job. */
const standing = new Set(['completed', 'waiting']);
/** Conclusions that concern the candidate. A cancelled or skipped job proves nothing. */
const conclusive = new Set(['success', 'failure', 'timed_out']);
const notRunning = new Set(['completed', 'waiting', 'queued', 'requested', 'pending']);

/**
 * Treats workflow runs as pipelines. A missing value is `unknown`, and so is 404: a token without
 * permission also gets it.
 */
export function createGitHubPipelines(options: GitHubPipelinesOptions): Pipelines {
  const { client, ownJobId } = options;
  return {
    readOwner: ({ deploymentId }) =>
      answer(deploymentId, async (run) => readOwner(await client(), run)),
    readLockHolder: ({ deploymentId }) =>
      answer(deploymentId, async (run) => readHolder(await client(), run, ownJobId)),
    readLastProvisions: async ({ deploymentId }) => {
      const run = referenceOf(deploymentId);
      if (run === undefined) return 'unknown';
      try {
        return endingsOf(await listRunJobs(await client(), run));
      } catch (error) {
        if (isPortFailure(error)) return 'unknown';
        throw error;
      }
    },
  };
}

async function answer(
  deploymentId: string,
  read: (run: RunReference) => Promise<OwnerState>,
): Promise<OwnerState> {
  const run = referenceOf(deploymentId);
  if (run === undefined) return unknown(`${deploymentId} is not a workflow run of GitHub`);
  try {
    return await read(run);
  } catch (error) {
    if (isPortFailure(error)) return unknown(error.message);
    throw error;
  }
}

function referenceOf(deploymentId: string): RunReference | undefined {
  const match = /^([A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+)-([1-9]\d{0,17})$/.exec(deploymentId);
  const [, repository, runId] = match ?? [];
  return repository === undefined || runId === undefined ? undefined : { repository, runId };
}

/**
 * Lists the results of `provision` from all attempts. Unknown if the workflow names its jobs
 * differently.
 */
function endingsOf(jobs: readonly RunJob[]): readonly ('failed' | 'success')[] | 'unknown' {
  const tries = jobs
    .filter(({ name }) => isNamed(name, 'hosted_runner_provision'))
    .filter(({ conclusion }) => conclusive.has(conclusion ?? ''))
    .toSorted((one, other) => attemptOf(other) - attemptOf(one));
  if (tries.length === 0) return 'unknown';
  return tries.map(({ conclusion }) => (conclusion === 'success' ? 'success' : 'failed'));
}

async function readOwner(client: GitHubClient, run: RunReference): Promise<OwnerState> {
  const name = `workflow run ${run.runId}`;
  const { status, conclusion } = await readRun(client, run);
  if (status === 'completed') return over(`${name} ended as ${conclusion ?? 'completed'}`);
  // A run that waits for an approval starts nothing by itself, but its other jobs may run.
  if (status !== 'waiting') return { kind: 'alive', reason: `${name} is ${status}` };
  const jobs = await listRunJobs(client, run);
  const acting = jobs.find((job) => !standing.has(job.status));
  return acting === undefined
    ? over(`${name} waits for an approval`)
    : { kind: 'alive', reason: `job ${acting.name} of ${name} is ${acting.status}` };
}

/**
 * Reads the state of a lock holder, which is one of the run's jobs. If no other job runs, the
 * holder has ended.
 */
async function readHolder(
  client: GitHubClient,
  run: RunReference,
  ownJobId: string | undefined,
): Promise<OwnerState> {
  const name = `workflow run ${run.runId}`;
  const { status, conclusion } = await readRun(client, run);
  if (status === 'completed') return over(`${name} ended as ${conclusion ?? 'completed'}`);
  const others = (await listRunJobs(client, run)).filter((job) => !isOwn(job, run, ownJobId));
  const running = others.find((job) => job.status === 'in_progress');
  if (running !== undefined) {
    return { kind: 'alive', reason: `job ${running.name} of ${name} is in progress` };
  }
  const strange = others.find((job) => !notRunning.has(job.status));
  return strange === undefined
    ? over(`no other job of ${name} runs`)
    : unknown(`job ${strange.name} of ${name} is ${strange.status}`);
}

/**
 * Compares a job with `run/attempt/job/runner`. A called workflow adds its caller's job before the
 * name, a matrix adds its values after it.
 */
function isOwn(job: RunJob, { runId }: RunReference, ownJobId: string | undefined): boolean {
  const [run, attempt, key = '', ...runner] = (ownJobId ?? '').split('/');
  if (run !== runId || String(attemptOf(job)) !== attempt || key === '') return false;
  return (
    isNamed(job.name, key) &&
    (job.runner_name ?? '') === runner.join('/') &&
    job.status === 'in_progress'
  );
}

function attemptOf(job: RunJob): number {
  return job.run_attempt ?? 0;
}

function isNamed(name: string, key: string): boolean {
  const last = name.split(' / ').at(-1) ?? '';
  return last === key || last.startsWith(`${key} (`);
}

function over(reason: string): OwnerState {
  return { kind: 'over', reason };
}

function unknown(reason: string): OwnerState {
  return { kind: 'unknown', reason };
}
