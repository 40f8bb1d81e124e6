import { z } from 'zod';
import type { CanaryJob } from '../../../domain/health/canary-job.ts';
import type { DeploymentId } from '../../../domain/shard.ts';
import type { CanaryJobs } from '../../../ports/canary.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { settleLost } from '../../transport/answers/answer-loss.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import { readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { originOf } from '../origin.ts';
import { registrationFrom } from '../runners/scope.ts';
import { createRunNames } from './run-names.ts';
import { listJobsOf } from './runs.ts';

export interface CanaryWorkflowOptions {
  readonly client: GitHubClient;
  readonly clock: Clock;
  /** Label of this deployment's canary only. */
  readonly tag: string;
  /** Returns the label of another deployment's canary. */
  readonly tagOf: (deploymentId: DeploymentId) => string;
  readonly owner: string;
  readonly repository: string;
  /** File name of the workflow, such as `canary.yml`. */
  readonly workflow: string;
  readonly ref: string;
}

const count = z.number().int().nonnegative().nullish();
export const canaryJob = z.object({
  id: z.number().int().positive(),
  status: z.string(),
  conclusion: printableName.nullish(),
  created_at: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  runner_id: z.number().int().nullish(),
  runner_name: printableName.nullish(),
  html_url: z.string().nullish(),
});
export const canaryJobs = z.object({ jobs: z.array(canaryJob), total_count: count });

/** 204 without a body, or 200 with the run if the server supports `return_run_details`. */
export const dispatched = z.object({ workflow_run_id: z.number().int().positive().nullish() });

type Job = z.output<typeof canaryJob> & { runId: number };

// Number of checks for the start. A run usually appears within a minute, under load later.
const startChecks = 90;
const checkPauseMs = 2000;

/**
 * Creates a canary that is a workflow run. The workflow has `workflow_dispatch` with the inputs
 * `canary_label` (for `runs-on`) and `canary_id` (for `run-name`). The name is needed because older
 * servers return no run id.
 */
export function createCanaryWorkflow(options: CanaryWorkflowOptions): CanaryJobs {
  const { client, clock, tag, owner, repository, workflow, ref } = options;
  const place = { owner, repo: repository };

  const readNames = createRunNames(options);

  async function listOf(label: string): Promise<readonly Job[]> {
    const matching = (await readNames()).filter(({ words }) => words.includes(label));
    const found = await Promise.all(matching.map(({ id }) => jobsOfRun(id, label)));
    return found.flat().sort((one, other) => other.id - one.id);
  }

  async function jobsOfRun(runId: number, label: string): Promise<Job[]> {
    const parameters = { ...place, run_id: runId };
    const read = await listJobsOf({ client, parameters, page: canaryJobs });
    return read.filter(({ labels }) => labels?.includes(label)).map((one) => ({ ...one, runId }));
  }

  const labelOf = (givenUp?: DeploymentId) =>
    givenUp === undefined ? tag : options.tagOf(givenUp);
  const listOwn = () => listOf(tag);

  async function start(): Promise<CanaryJob> {
    const last = (await listOwn())[0]?.id ?? 0;
    const runId = await dispatch();
    return pollUntil({ clock, cadence: { pollMs: checkPauseMs } }, async (polls) => {
      if (polls > startChecks) throw notStarted(options);
      const [newest] = runId === undefined ? await listOwn() : await jobsOfRun(runId, tag);
      return newest !== undefined && newest.id > last ? done(toCanaryJob(newest)) : pending();
    });
  }

  /**
   * Starts the workflow. Returns the run's id if the server reports it (github.com since 2026-02).
   */
  async function dispatch(): Promise<number | undefined> {
    const route = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches';
    const inputs = { canary_label: tag, canary_id: tag };
    const order = { ...place, workflow_id: workflow, ref, inputs };
    try {
      const answer = await client.request(route, { ...order, return_run_details: true });
      const { data } = answer;
      if (typeof data !== 'object' || data === null) return undefined;
      return readShape(dispatched, data, originOf(client, answer)).workflow_run_id ?? undefined;
    } catch (error) {
      // An older server may refuse `return_run_details` (an assumption). A refusal has started
      // nothing.
      if (!isRefusal(error, 422)) throw error;
      await client.request(route, order);
      return undefined;
    }
  }

  return {
    tag,
    byHand: `run the workflow ${workflow} of ${owner}/${repository} with canary_label and canary_id = ${tag}`,
    findNewest: async () => {
      const [newest] = await listOwn();
      return newest && toCanaryJob(newest);
    },
    find: async (id) => {
      const found = (await listOwn()).find((one) => String(one.id) === id);
      return found && toCanaryJob(found);
    },
    start,
    cancel: async ({ of } = {}) => {
      const label = labelOf(of);
      const alive = (await listOf(label)).filter(({ status }) => status !== 'completed');
      for (const { runId } of alive)
        await cancelRun(client, { ...place, run_id: runId }, () => jobsOfRun(runId, label));
      return alive.length;
    },
    listIds: async (givenUp) => (await listOf(labelOf(givenUp))).map(({ id }) => String(id)),
  };
}

/** Cancels a run. Succeeds if the run has completed meanwhile. */
async function cancelRun(
  client: GitHubClient,
  run: { readonly owner: string; readonly repo: string; readonly run_id: number },
  listJobs: () => Promise<readonly Job[]>,
): Promise<void> {
  const isOver = async () => {
    const found = await listJobs();
    return found.length > 0 && found.every(({ status }) => status === 'completed');
  };
  try {
    await settleLost<unknown>(
      () => client.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel', run),
      async () => ((await isOver()) ? true : undefined),
    );
  } catch (error) {
    // GitHub also refuses to cancel a run that is not queued yet, and such a run still starts.
    if (!isRefusal(error, 409) || !(await isOver())) throw error;
  }
}

function toCanaryJob(one: Job): CanaryJob {
  const name = one.runner_name ?? '';
  const registrationId = name === '' ? undefined : registrationFrom(name);
  const isOver = one.status === 'completed';
  return {
    id: String(one.id),
    status: statusOf(one),
    createdAt: one.created_at ?? one.started_at ?? '',
    url: one.html_url ?? '',
    ...(one.status !== 'queued' && one.started_at ? { startedAt: one.started_at } : {}),
    ...(isOver && one.completed_at ? { finishedAt: one.completed_at } : {}),
    ...(isOver && one.conclusion !== 'success'
      ? { failureReason: one.conclusion ?? 'no conclusion' }
      : {}),
    ...(registrationId === undefined ? {} : { registrationId }),
    ...(one.runner_id ? { workerId: one.runner_id, systemId: name } : {}),
  };
}

function statusOf({ status, conclusion }: Job): CanaryJob['status'] {
  switch (status) {
    case 'queued':
    case 'waiting':
    case 'requested':
    case 'pending':
      return 'waiting';
    case 'in_progress':
      return 'running';
    case 'completed':
      return endOf(conclusion);
    default:
      return 'unknown';
  }
}

function endOf(conclusion: string | null | undefined): CanaryJob['status'] {
  if (conclusion === 'success') return 'success';
  if (conclusion === 'cancelled' || conclusion === 'skipped') return 'canceled';
  return conclusion === 'failure' || conclusion === 'timed_out' ? 'failed' : 'unknown';
}

function notStarted({ workflow, owner, repository, tag }: CanaryWorkflowOptions): PortFailure {
  return new PortFailure({
    kind: 'refused',
    effect: 'unknown',
    source: `GitHub workflow ${workflow} of ${owner}/${repository}`,
    detail: `no run whose name contains ${tag} has a job with that label: its run-name needs the input canary_id, and runs-on the input canary_label`,
  });
}
