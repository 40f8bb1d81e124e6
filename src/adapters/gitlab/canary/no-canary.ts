import type { DeploymentId } from '../../../domain/shard.ts';
import type { CanaryJobs } from '../../../ports/canary.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { GitLabClient } from '../client.ts';
import { cancelJobs } from '../jobs/job-cancel.ts';
import { canaryTag } from './canary-tag.ts';
import { listCanariesOf, pipelineOfDeployment } from './pipeline-canary.ts';

/**
 * Where no canary job can be begun: outside of a pipeline, with `canary.kind: job`, or switched off.
 * Those of the pipeline whose deployment is carried on are known, and can be cancelled.
 */
export function createNoCanary({
  deploymentId,
  runnerName,
  pipelines,
}: {
  deploymentId: string;
  runnerName: string;
  /** Absent where the canary is switched off. */
  pipelines?: { readonly client: GitLabClient; readonly jobName: string };
}): CanaryJobs {
  const listOf = async (deployment: string) =>
    pipelines === undefined
      ? []
      : listCanariesOf(pipelines.client, deployment, { runnerName, jobName: pipelines.jobName });
  return {
    tag: canaryTag(deploymentId, runnerName),
    byHand:
      'set canary.kind to project, so that a canary can be started from outside of a pipeline',
    findNewest: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    start: () =>
      Promise.reject(
        new PortFailure({
          kind: 'refused',
          effect: 'none',
          source: 'The canary',
          detail: 'canary.kind is job, and this run is not a job of a GitLab pipeline',
        }),
      ),
    cancel: async (givenUp = deploymentId as DeploymentId) => {
      const project = pipelineOfDeployment(givenUp)?.projectId;
      if (project === undefined || pipelines === undefined) return 0;
      return cancelJobs(pipelines.client, { project }, await listOf(givenUp));
    },
    listIds: async (givenUp = deploymentId as DeploymentId) =>
      (await listOf(givenUp)).map(({ id }) => String(id)),
  };
}
