import type { CanaryJobs } from '../../../ports/canary.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { canaryTag } from '../../canary/canary-tag.ts';
import { readShape } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { findJob, type Job, job, newest, readJob, toCanaryJob } from '../jobs/job.ts';
import { cancelJobs } from '../jobs/job-cancel.ts';
import { startOnce } from '../jobs/job-start.ts';
import { pipelineOfDeployment } from '../jobs/stage-jobs.ts';
import { withExposed } from './canary-log.ts';
import { listCanariesOf, listPipelineCanaries } from './pipeline-canary.ts';

export interface CanaryJobOptions {
  readonly client: GitLabClient;
  readonly clock: Clock;
  readonly projectId: number;
  readonly pipelineId: number;
  readonly pipelineIid: number;
  readonly pipelineUrl: string;
  readonly runnerName: string;
  /** `hosted_runner_canary`, or its name with a prefix or matrix values. */
  readonly jobName: string;
  /** Names of the variables that contain this deployment's secrets. */
  readonly secrets?: readonly string[];
}

/** Creates a canary that is a visible job of the current pipeline. */
export function createCanaryJob(options: CanaryJobOptions): CanaryJobs {
  const { client, projectId, pipelineIid, runnerName, jobName } = options;
  const tag = canaryTag(`${projectId}-${pipelineIid}`, runnerName);
  const place = { project: projectId };

  const listOwn = () =>
    listPipelineCanaries(client, { projectId, pipelineId: options.pipelineId, tag }, { jobName });

  /** Lists canaries of another pipeline of the same project. Other deployments have none here. */
  async function listGivenUp(deployment: string): Promise<readonly Job[]> {
    if (pipelineOfDeployment(deployment)?.projectId !== projectId) return [];
    return listCanariesOf(client, deployment, { runnerName, jobName });
  }

  const listOf = (givenUp?: string) => (givenUp === undefined ? listOwn() : listGivenUp(givenUp));

  const checkExposure = (found: Job | undefined) =>
    found && withExposed({ ...place, client, secrets: options.secrets ?? [] }, toCanaryJob(found));

  return {
    tag,
    byHand: `press Retry on job "${jobName}" of ${options.pipelineUrl}, then on the job that waits for it`,
    findNewest: async () => checkExposure(newest(await listOwn())),
    find: async (id) => checkExposure(await findJob(client, place, Number(id))),
    start: async () => {
      const last = newest(await listOwn());
      if (last === undefined) throw noSuchJob(options, tag);
      const started = await startOnce({
        clock: options.clock,
        start: () => startAfter(client, projectId, last),
        findStarted: () => findAfter(listOwn, last),
      });
      return toCanaryJob(started);
    },
    cancel: async ({ of, machineIsGone } = {}) => {
      const found = await listOf(of);
      // A created job waits for onboard. GitLab skips and restores it together with onboard, but a
      // cancelled job is not restored.
      const jobs = found.filter(({ status }) => of !== undefined || status !== 'created');
      return cancelJobs(client, place, { jobs, machineIsGone });
    },
    listIds: async (givenUp) => (await listOf(givenUp)).map(({ id }) => String(id)),
  };
}

/**
 * Starts the job again. A manual job is played and keeps its id; any other job is retried with a
 * new id.
 */
async function startAfter(client: GitLabClient, projectId: number, last: Job): Promise<Job> {
  if (last.status === 'manual') {
    await client.jobs.play(projectId, last.id);
    return readJob(client, { project: projectId }, last.id);
  }
  const source = `GitLab POST /projects/${projectId}/jobs/${last.id}/retry`;
  const body = await client.jobs.retry(projectId, last.id);
  return readShape(job, body, { source, effect: 'unknown', redactor: client.redactor });
}

async function findAfter(
  listOwn: () => Promise<readonly Job[]>,
  last: Job,
): Promise<Job | undefined> {
  const found = newest(await listOwn());
  if (found === undefined || found.id > last.id) return found;
  return last.status === 'manual' && found.status !== 'manual' ? found : undefined;
}

function noSuchJob({ projectId, pipelineId, jobName }: CanaryJobOptions, tag: string): PortFailure {
  return new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `GitLab GET /projects/${projectId}/pipelines/${pipelineId}/jobs`,
    detail: `the pipeline has no job "${jobName}" with the tag ${tag}`,
  });
}
