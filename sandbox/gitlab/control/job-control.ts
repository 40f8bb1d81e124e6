import type { CreatedPipeline, GitLab, JobSubmission, PipelineOrder } from '../answers/surface.ts';
import type { Instance } from '../instance.ts';
import { addJob, createDefinedPipeline, createPipeline } from '../jobs/creation.ts';
import { jobsOf } from '../jobs/pipeline-status.ts';
import { moveTo, requeue } from '../jobs/transitions.ts';
import { JOB_STATUSES } from '../state.ts';
import { requireProject } from './token-control.ts';

/** Creates jobs for the runners, and plays a deployment's own jobs. */
export function createJobControl(
  instance: Instance,
): Pick<GitLab, 'submitJob' | 'setJobStatus' | 'createPipeline'> {
  return {
    submitJob: (submission) => submitJob(instance, submission),
    setJobStatus(id, status, failureReason = 'script_failure') {
      const job = instance.state.jobs.find((row) => row.id === id);
      if (job === undefined) throw new RangeError(`There is no job ${id}.`);
      if (!JOB_STATUSES.includes(status))
        throw new RangeError(`"${status}" is no status of a job.`);
      if (status === 'pending') requeue(instance, job);
      else moveTo(instance, job, { status, failureReason });
    },
    createPipeline: (order) => orderPipeline(instance, order),
  };
}

function submitJob(
  instance: Instance,
  { project: reference, tags, script, ref, name = 'job', ...rest }: JobSubmission,
): { id: number; pipelineId: number } {
  const project = requireProject(instance, reference);
  const pipeline = createPipeline(instance, {
    project,
    userId: instance.state.users[0]?.id ?? 0,
    ref: ref ?? project.branches[0] ?? 'main',
    source: 'push',
  });
  const job = addJob(instance, pipeline, {
    name,
    stage: 'test',
    tags: [...tags],
    script: [...script],
    external: false,
    allowFailure: false,
    resourceGroup: null,
    ...rest,
  });
  return { id: job.id, pipelineId: pipeline.id };
}

function orderPipeline(
  instance: Instance,
  { project: reference, ref, runnerNames, inputs = {} }: PipelineOrder,
): CreatedPipeline {
  const project = requireProject(instance, reference);
  const pipeline = createDefinedPipeline(instance, {
    project,
    userId: instance.state.users[0]?.id ?? 0,
    ref: ref ?? project.branches[0] ?? 'main',
    source: 'web',
    inputs: runnerNames === undefined ? inputs : { ...inputs, runner_name: runnerNames.join(',') },
  });
  const jobs = jobsOf(instance, pipeline);
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    jobs: jobs.map(({ id, name, tags }) => ({ id, name, tags: [...tags] })),
  };
}
