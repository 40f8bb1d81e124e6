import { z } from 'zod';
import { isPortFailure } from '../../../ports/failure.ts';
import type { OwnerState, Pipelines } from '../../../ports/pipelines.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { listAll, readOne } from '../list-reader.ts';
import { findJob } from './job.ts';
import {
  endingsOf,
  findActor,
  findRunning,
  isOver,
  type PipelineJob,
  type PipelineReference,
  pipelineOfDeployment,
} from './stage-jobs.ts';

export interface GitLabPipelinesOptions {
  readonly client: GitLabClient;
  /** Job of this process. It does not count as another run. */
  readonly ownJobId?: string;
}

export const pipelineState = z.object({ status: z.string() });
export const projectName = z.object({ id: z.number() });
export const pipelineJob = z.object({
  id: z.number(),
  name: printableName,
  status: z.string(),
  allow_failure: z.boolean().nullish(),
});

/**
 * Reads pipelines of this GitLab. A missing or refused response is `unknown`, with GitLab's message
 * as the reason.
 */
export function createGitLabPipelines({ client, ownJobId }: GitLabPipelinesOptions): Pipelines {
  const own = Number(ownJobId ?? Number.NaN);
  return {
    readOwner: ({ deploymentId }) =>
      answer(deploymentId, (reference) => readOwner(client, reference)),
    readLockHolder: ({ deploymentId, jobId }) =>
      answer(deploymentId, (reference) => {
        if (/^[1-9]\d*$/.test(jobId)) {
          return readHolder(client, reference, { jobId: Number(jobId), own });
        }
        return Promise.resolve(unknown(`${JSON.stringify(jobId)} is not a job of this GitLab`));
      }),
    readLastProvisions: async ({ deploymentId }) => {
      const reference = pipelineOfDeployment(deploymentId);
      if (reference === undefined) return 'unknown';
      try {
        const jobs = await listJobs(client, reference, { include_retried: true });
        return jobs.length === 0 ? 'unknown' : endingsOf(jobs);
      } catch (error) {
        if (isPortFailure(error)) return 'unknown';
        throw error;
      }
    },
  };
}

async function answer(
  deploymentId: string,
  read: (reference: PipelineReference) => Promise<OwnerState>,
): Promise<OwnerState> {
  const reference = pipelineOfDeployment(deploymentId);
  if (reference === undefined) return unknown(`${deploymentId} is not a pipeline of this GitLab`);
  try {
    return await read(reference);
  } catch (error) {
    if (isPortFailure(error)) return unknown(error.message);
    throw error;
  }
}

async function readOwner(client: GitLabClient, reference: PipelineReference): Promise<OwnerState> {
  const name = `pipeline ${reference.pipelineId}`;
  const state = await findPipeline(client, reference);
  if (state === undefined) return gone(name);
  if (isOver(state.status)) return { kind: 'over', reason: `${name} ended as ${state.status}` };
  if (state.status === 'manual') return { kind: 'over', reason: `${name} waits for a manual job` };
  const jobs = await listJobs(client, reference);
  if (jobs.length === 0) return unlisted(name);
  const actor = findActor(jobs);
  return actor === undefined
    ? {
        kind: 'over',
        reason: `${name} is ${state.status}, but none of its stages starts automatically`,
      }
    : { kind: 'alive', reason: `${name} is ${state.status}: ${actor}` };
}

async function readHolder(
  client: GitLabClient,
  reference: PipelineReference,
  { jobId, own }: { jobId: number; own: number },
): Promise<OwnerState> {
  const pipeline = await findPipeline(client, reference);
  if (pipeline === undefined) return gone(`pipeline ${reference.pipelineId}`);
  const holder = await findJob(client, { project: reference.projectId }, jobId);
  if (holder === undefined) return unknown(`pipeline ${reference.pipelineId} has no job ${jobId}`);
  if (holder.pipeline?.id !== reference.pipelineId) {
    return unknown(`job ${jobId} belongs to ${nameOf(holder.pipeline?.id)}`);
  }
  const name = `job ${holder.name} (${jobId})`;
  // An earlier process of the current job may have held the lock. It is dead, because this process
  // runs.
  if (jobId !== own && !isOver(holder.status))
    return { kind: 'alive', reason: `${name} is ${holder.status}` };
  const jobs = await listJobs(client, reference);
  if (jobs.length === 0) return unlisted(`pipeline ${reference.pipelineId}`);
  const other = findRunning(jobs, new Set([jobId, own]));
  return other === undefined
    ? {
        kind: 'over',
        reason: `${name} is ${holder.status} and no other stage of its pipeline runs`,
      }
    : {
        kind: 'alive',
        reason: `job ${other.name} (${other.id}) of its pipeline is ${other.status}`,
      };
}

/**
 * Finds a pipeline. Undefined only if it was deleted: the token can read the project and its other
 * pipelines.
 */
async function findPipeline(
  client: GitLabClient,
  { projectId, pipelineId }: PipelineReference,
): Promise<z.infer<typeof pipelineState> | undefined> {
  const project = `projects/${projectId}`;
  try {
    return await readOne(client, `${project}/pipelines/${pipelineId}`, { schema: pipelineState });
  } catch (error) {
    if (!isNotFound(error, 'record')) throw error;
    await readOne(client, project, { schema: projectName });
    const query = { per_page: 1 };
    await readOne(client, `${project}/pipelines`, { schema: pipelineState.array(), query });
    return undefined;
  }
}

function listJobs(
  client: GitLabClient,
  { projectId, pipelineId }: PipelineReference,
  query: { readonly include_retried?: boolean } = {},
): Promise<readonly PipelineJob[]> {
  const endpoint = `projects/${projectId}/pipelines/${pipelineId}/jobs`;
  return listAll(client, { endpoint, item: pipelineJob, query });
}

function nameOf(pipelineId: number | undefined): string {
  return pipelineId === undefined ? 'no pipeline that GitLab lists' : `pipeline ${pipelineId}`;
}

/** Returns `unknown` for an empty list, which GitLab returns if the token may not read builds. */
function unlisted(name: string): OwnerState {
  return unknown(`GitLab lists no job of ${name} for this token`);
}

function gone(name: string): OwnerState {
  return { kind: 'over', reason: `${name} was deleted` };
}

function unknown(reason: string): OwnerState {
  return { kind: 'unknown', reason };
}
