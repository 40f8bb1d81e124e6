import { z } from 'zod';
import { pipelineOf } from '../../../domain/deployment/lock/pipeline-state.ts';
import type { CanaryJobs } from '../../../ports/canary.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { creationOf } from '../../../ports/run.ts';
import { canaryTag } from '../../canary/canary-tag.ts';
import { readShape } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import {
  findJob,
  hasTag,
  type Job,
  listPipelineJobs,
  newest,
  toCanaryJob,
  unreadableJobs,
} from '../jobs/job.ts';
import { cancelJobs } from '../jobs/job-cancel.ts';
import { findWithRetries, startOnce } from '../jobs/job-start.ts';
import { isOver } from '../jobs/stage-jobs.ts';
import { listAll, readOne } from '../list-reader.ts';
import { withExposed } from './canary-log.ts';

export interface CanaryProjectOptions {
  readonly client: GitLabClient;
  readonly clock: Clock;
  readonly deploymentId: string;
  /**
   * Creation time of the deployment's pipeline in ISO 8601. No canary is older. Absent: the time in
   * the deployment id.
   */
  readonly createdAt?: string | undefined;
  readonly runnerName: string;
  /** Id or full path of the project. */
  readonly project: string;
  readonly ref: string;
  /** Pipeline input that becomes the job's tag. */
  readonly input: string;
  /** Names of the variables that contain this deployment's secrets. */
  readonly secrets?: readonly string[];
}

export const pipelineId = z.object({ id: z.number().int().positive() });

/**
 * Time for which only the pipeline of a running canary is read. An operator may start a newer one.
 */
const aloneForMs = 30_000;
/** Age after which the newest job of a list is out of date. */
const newestWithinMs = 10_000;

/** GitLab's limits: a job waits at most one day and runs at most one month. */
const longestLifeMs = 35 * 24 * 60 * 60_000;

/** Creates a canary that is a pipeline in a separate project, for a CI outside this GitLab. */
export function createCanaryProject(options: CanaryProjectOptions): CanaryJobs {
  const { client, clock, project, ref, input, runnerName } = options;
  const tag = canaryTag(options.deploymentId, runnerName);
  const place = { project };
  // A job's tags never change, so another deployment's pipeline is read only once.
  const tagsOf = new Map<number, readonly string[]>();
  let listed: { at: number; newestId: number; pipeline: number | undefined } | undefined;

  /** Reads one pipeline at a time, because a project may have hundreds. */
  async function listTagged(wanted: string, since: string): Promise<readonly Job[]> {
    const found: Job[] = [];
    for (const id of await listPipelines(options, since)) {
      if (tagsOf.get(id)?.includes(wanted) === false) continue;
      found.push(...(await listTaggedIn(id, wanted)));
    }
    return found;
  }

  async function listTaggedIn(id: number, wanted: string): Promise<readonly Job[]> {
    const jobs = await unlessDeleted(listPipelineJobs(client, place, id));
    if (jobs.length > 0)
      tagsOf.set(
        id,
        jobs.flatMap(({ tag_list: tags }) => tags ?? []),
      );
    return jobs.filter((each) => hasTag(each, wanted));
  }

  const oldest = () => new Date(clock.now() - longestLifeMs).toISOString();
  const noteListed = (jobs: readonly Job[]): readonly Job[] => {
    const found = newest(jobs);
    listed = { at: clock.elapsed(), newestId: found?.id ?? 0, pipeline: found?.pipeline?.id };
    return jobs;
  };
  const listOwn = async () => noteListed(await listTagged(tag, sinceOf(options) ?? oldest()));

  /**
   * Reads only the known pipeline, unless its canary failed: another pipeline may have a successful
   * one.
   */
  async function findInPipeline(): Promise<Job | undefined> {
    const { pipeline, at } = listed ?? { at: 0 };
    if (pipeline === undefined || clock.elapsed() - at >= aloneForMs) return undefined;
    const found = newest(await listTaggedIn(pipeline, tag));
    return found !== undefined && (!isOver(found.status) || found.status === 'success')
      ? found
      : undefined;
  }

  const listOf = (givenUp?: string) =>
    givenUp === undefined
      ? listOwn()
      : listTagged(canaryTag(givenUp, runnerName), sinceOf({ deploymentId: givenUp }) ?? oldest());

  const checkExposure = (found: Job | undefined) =>
    found && withExposed({ ...place, client, secrets: options.secrets ?? [] }, toCanaryJob(found));

  async function findAfter(id: number): Promise<Job | undefined> {
    const found = newest(await listOwn());
    return found !== undefined && found.id > id ? found : undefined;
  }

  return {
    tag,
    byHand: `run a pipeline for ${ref} in ${project} with the input ${input} = ${tag}`,
    findNewest: async () => checkExposure((await findInPipeline()) ?? newest(await listOwn())),
    find: async (id) => checkExposure(await findJob(client, place, Number(id))),
    start: async () => {
      const isYoung = listed !== undefined && clock.elapsed() - listed.at < newestWithinMs;
      if (!isYoung) await listOwn();
      const last = listed?.newestId ?? 0;
      const started = await startOnce({
        clock,
        start: () =>
          startPipeline(options, { tag, find: async (id) => newest(await listTaggedIn(id, tag)) }),
        findStarted: () => findAfter(last),
      });
      noteListed([started]);
      return toCanaryJob(started);
    },
    cancel: async ({ of, machineIsGone } = {}) =>
      cancelJobs(client, place, { jobs: await listOf(of), machineIsGone }),
    listIds: async (givenUp) => (await listOf(givenUp)).map(({ id }) => String(id)),
  };
}

/** Returns no jobs if the pipeline was deleted, which may happen after it was listed. */
async function unlessDeleted(jobs: Promise<readonly Job[]>): Promise<readonly Job[]> {
  try {
    return await jobs;
  } catch (error) {
    if (isNotFound(error, 'record')) return [];
    throw error;
  }
}

/** Upper bound for the clock difference of two servers. */
const clocksApartMs = 60 * 60_000;

function sinceOf({
  deploymentId,
  createdAt = creationOf(pipelineOf(deploymentId)),
}: Pick<CanaryProjectOptions, 'deploymentId' | 'createdAt'>): string | undefined {
  if (createdAt === undefined) return undefined;
  return new Date(Date.parse(createdAt) - clocksApartMs).toISOString();
}

/**
 * Lists all pipelines that changed since then, newest first, or rejects. Any number of other
 * stacks' canaries may lie between those of a deployment.
 */
async function listPipelines(
  { client, project, ref }: CanaryProjectOptions,
  since: string,
): Promise<number[]> {
  const endpoint = `projects/${encodeURIComponent(project)}/pipelines`;
  const query = { ref, order_by: 'id', sort: 'desc', updated_after: since };
  const found = await listAll(client, { endpoint, query, item: pipelineId });
  return found.map((each) => each.id);
}

export const metadata = z.object({ version: z.string() });

/**
 * Returns the input as `inputs`, or as a variable before 17.10. An older GitLab ignores `inputs`
 * without an error and creates the pipeline. If variables are forbidden, GitLab refuses the
 * variable with a message.
 */
async function givenTo(
  client: GitLabClient,
  { input, tag }: { input: string; tag: string },
): Promise<Readonly<Record<string, unknown>>> {
  const { version } = await readOne(client, 'metadata', { schema: metadata });
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const isOlder = Number(major) < 17 || (Number(major) === 17 && Number(minor) < 10);
  return isOlder ? { variables: [{ key: input, value: tag }] } : { inputs: { [input]: tag } };
}

async function startPipeline(
  { client, clock, project, ref, input }: CanaryProjectOptions,
  { tag, find }: { tag: string; find: (pipeline: number) => Promise<Job | undefined> },
): Promise<Job> {
  // Gitbeaker's own method lacks inputs, and variables may be forbidden.
  const endpoint = `projects/${encodeURIComponent(project)}/pipeline`;
  const given = await givenTo(client, { input, tag });
  const { body } = await client.raw.post(endpoint, { body: { ref, ...given } });
  const source = `GitLab POST /projects/${project}/pipeline`;
  const { id } = readShape(pipelineId, body, {
    source,
    effect: 'unknown',
    redactor: client.redactor,
  });
  const job = await findWithRetries(clock, () => find(id));
  if (job !== undefined) return job;
  const listed = await listPipelineJobs(client, { project }, id);
  if (listed.length === 0) throw unreadableJobs(project, id);
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source,
    detail: `pipeline ${id} has no job with the tag ${tag}: its configuration must add the input "${input}" to the tags of the job`,
  });
}
