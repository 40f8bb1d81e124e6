import type { Instance } from '../instance.ts';
import type { Job } from '../state.ts';
import { moment, secondsBetween } from './moment.ts';
import { commitOf, pipelineBasic } from './pipeline.ts';
import { projectById, projectIdentity, webUrlOf } from './project.ts';
import { managerEntity, runnerBasic } from './runner.ts';
import { userById, userDetails } from './user.ts';

export function jobBasic(instance: Instance, job: Job) {
  const pipeline = instance.state.pipelines.find((candidate) => candidate.id === job.pipelineId);
  if (pipeline === undefined) throw new Error(`Job ${job.id} has no pipeline.`);
  const project = projectById(instance, job.projectId);
  return {
    id: job.id,
    status: job.status,
    stage: job.stage,
    name: job.name,
    ref: job.ref,
    tag: false,
    coverage: null,
    allow_failure: job.allowFailure,
    created_at: moment(job.createdAt),
    started_at: moment(job.startedAt),
    finished_at: moment(job.finishedAt),
    erased_at: null,
    duration: secondsBetween(job.startedAt, job.finishedAt ?? instance.now()),
    queued_duration: secondsBetween(
      job.queuedAt,
      job.startedAt ?? job.finishedAt ?? instance.now(),
    ),
    user: userDetails(instance, userById(instance, job.userId)),
    commit: commitOf(instance, pipeline),
    pipeline: pipelineBasic(instance, pipeline),
    ...(job.status === 'failed' ? { failure_reason: job.failureReason } : {}),
    web_url: `${webUrlOf(instance, project)}/-/jobs/${job.id}`,
    project: { ci_job_token_scope_enabled: true },
  };
}

/** Renders a job of `GET /runners/:id/jobs`, with its project and without its runner. */
export function jobWithProject(instance: Instance, job: Job) {
  return {
    ...jobBasic(instance, job),
    project: projectIdentity(instance, projectById(instance, job.projectId)),
  };
}

/**
 * Renders a job. `runner` and `runner_manager` are null once their records are deleted, whatever
 * the job does.
 */
export function jobDetails(instance: Instance, job: Job) {
  const runner = instance.state.runners.find((candidate) => candidate.id === job.runnerId);
  const manager = instance.state.managers.find((candidate) => candidate.id === job.managerId);
  return {
    ...jobBasic(instance, job),
    artifacts: [],
    runner: runner === undefined ? null : runnerBasic(instance, runner),
    runner_manager: manager === undefined ? null : managerEntity(instance, manager),
    artifacts_expire_at: null,
    archived: false,
    tag_list: job.tags,
  };
}
