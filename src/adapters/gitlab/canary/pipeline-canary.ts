import { z } from 'zod';
import { isNamedAs } from '../../../domain/health/canary-job.ts';
import { canaryTag } from '../../canary/canary-tag.ts';
import type { OtherCanaries } from '../../canary/no-canary.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { hasTag, type Job, listPipelineJobs, unreadableJobs } from '../jobs/job.ts';
import { cancelJobs } from '../jobs/job-cancel.ts';
import { pipelineOfDeployment } from '../jobs/stage-jobs.ts';
import { readOne } from '../list-reader.ts';

export const pipelineNumber = z.object({ iid: z.number() });

export interface CanaryName {
  readonly runnerName: string;
  /** `hosted_runner_canary`, or its name with a prefix or matrix values. */
  readonly jobName: string;
}

/** Lists the canary jobs of one pipeline: jobs with this name and tag. */
export async function listPipelineCanaries(
  client: GitLabClient,
  { projectId, pipelineId, tag }: { projectId: number; pipelineId: number; tag: string },
  { jobName }: Pick<CanaryName, 'jobName'>,
): Promise<readonly Job[]> {
  const all = await listPipelineJobs(client, { project: projectId }, pipelineId);
  if (all.length === 0) throw unreadableJobs(projectId, pipelineId);
  return all.filter((each) => isNamedAs(each.name, jobName) && hasTag(each, tag));
}

/** Lists the canaries of another deployment's pipeline. Empty if the id is no GitLab pipeline. */
export async function listCanariesOf(
  client: GitLabClient,
  deployment: string,
  name: CanaryName,
): Promise<readonly Job[]> {
  const pipeline = pipelineOfDeployment(deployment);
  if (pipeline === undefined) return [];
  const { projectId, pipelineId } = pipeline;
  const endpoint = `projects/${projectId}/pipelines/${pipelineId}`;
  const { iid } = await readOne(client, endpoint, { schema: pipelineNumber });
  const tag = canaryTag(`${projectId}-${iid}`, name.runnerName);
  return listPipelineCanaries(client, { ...pipeline, tag }, name);
}

/**
 * Creates the access to canaries of a deployment that this run continues from outside its pipeline.
 */
export function createPipelineCanaries(client: GitLabClient, name: CanaryName): OtherCanaries {
  const listOf = (deployment: string) => listCanariesOf(client, deployment, name);
  return {
    cancel: async ({ of, machineIsGone }) => {
      const project = pipelineOfDeployment(of)?.projectId;
      if (project === undefined) return 0;
      return cancelJobs(client, { project }, { jobs: await listOf(of), machineIsGone });
    },
    listIds: async (deployment) => (await listOf(deployment)).map(({ id }) => String(id)),
  };
}
