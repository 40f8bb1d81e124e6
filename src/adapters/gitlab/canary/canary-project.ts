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
  /** ISO 8601: when the deployment's pipeline was created; no canary of it is older. Absent: what its id states. */
  readonly createdAt?: string | undefined;
  readonly runnerName: string;
  /** An id or a full path. */
  readonly project: string;
  readonly ref: string;
  /** The input of its pipeline that becomes the job's tag. */
  readonly input: string;
  /** Names of the variables that this deployment has its secrets in. */
  readonly secrets?: readonly string[];
}

export const pipelineId = z.object({ id: z.number().int().positive() });

/** How long a pipeline whose canary has not ended is read alone: a newer one may be started by hand. */
const aloneForMs = 30_000;
/** A list that is older shows no newest job any more. */
const newestWithinMs = 10_000;

/** A job waits for a day and runs for a month at most, by GitLab's limits. */
const longestLifeMs = 35 * 24 * 60 * 60_000;

/** The canary as a pipeline in a project of its own, for a CI that is not this GitLab's. */
export function createCanaryProject(options: CanaryProjectOptions): CanaryJobs {
  const { client, clock, project, ref, input, runnerName } = options;
  const tag = canaryTag(options.deploymentId, runnerName);
  const place = { project };
  // Jobs never change their tags: a pipeline that is another deployment's is read once.
  const tagsOf = new Map<number, readonly string[]>();
  let listed: { at: number; newestId: number; pipeline: number | undefined } | undefined;

  /** One pipeline after the other: a project may have hundreds of them. */
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

  /** Only while its canary has not ended: what it failed may have succeeded in another pipeline. */
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

  const look = (found: Job | undefined) =>
    found && withExposed({ ...place, client, secrets: options.secrets ?? [] }, toCanaryJob(found));

  async function findAfter(id: number): Promise<Job | undefined> {
    const found = newest(await listOwn());
    return found !== undefined && found.id > id ? found : undefined;
  }

  return {
    tag,
    byHand: `run a pipeline for ${ref} in ${project} with the input ${input} = ${tag}`,
    findNewest: async () => look((await findInPipeline()) ?? newest(await listOwn())),
    find: async (id) => look(await findJob(client, place, Number(id))),
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

/** A pipeline may be deleted at any time, also between a list and this. */
async function unlessDeleted(jobs: Promise<readonly Job[]>): Promise<readonly Job[]> {
  try {
    return await jobs;
  } catch (error) {
    if (isNotFound(error, 'record')) return [];
    throw error;
  }
}

/** Clocks of two servers differ, by less than this. */
const clocksApartMs = 60 * 60_000;

function sinceOf({
  deploymentId,
  createdAt = creationOf(pipelineOf(deploymentId)),
}: Pick<CanaryProjectOptions, 'deploymentId' | 'createdAt'>): string | undefined {
  if (createdAt === undefined) return undefined;
  return new Date(Date.parse(createdAt) - clocksApartMs).toISOString();
}

/**
 * All that changed since, newest first, or a rejection. Canaries of other stacks lie between those of one
 * deployment, in any number.
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
 * Before 17.10 GitLab drops `inputs` in silence and makes the pipeline without. There a variable of
 * the same name stands for the input; where variables are forbidden there, GitLab refuses it in words.
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
  // Through the plain requester: gitbeaker's own method has no inputs, and variables may be forbidden.
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
    detail: `pipeline ${id} has no job with the tag ${tag}: its configuration has to put the input "${input}" into the job's tags`,
  });
}
