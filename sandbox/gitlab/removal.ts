import type { Instance } from './instance.ts';
import { requeue } from './jobs/transitions.ts';
import type { Manager, Pipeline, Runner } from './state.ts';

// Removes a runner, busy or not, like GitLab: its jobs continue without a record of their runner.
export function removeRunner(instance: Instance, runner: Runner): void {
  const { state } = instance;
  state.runners = state.runners.filter((row) => row !== runner);
  state.managers = state.managers.filter((row) => row.runnerId !== runner.id);
  releaseUnacknowledged(instance, runner);
  instance.changed();
}

/**
 * Removes a manager that unregisters. With the last manager, older versions also forget the
 * runner's contact.
 */
export function removeManager(instance: Instance, runner: Runner, manager: Manager): void {
  const { state, features } = instance;
  state.managers = state.managers.filter((row) => row !== manager);
  const isLast = !state.managers.some((row) => row.runnerId === runner.id);
  if (isLast && !features.contactOutlivesManagers) runner.contactedAt = null;
  instance.changed();
}

// Releases the runner's unacknowledged jobs. The assignment is a foreign key, so it is deleted with
// the runner, and the job waits again.
function releaseUnacknowledged(instance: Instance, runner: Runner): void {
  for (const job of instance.state.jobs) {
    if (job.status === 'pending' && job.runnerId === runner.id) requeue(instance, job);
  }
}

/** Deletes a pipeline with its jobs and logs. `jobs()` still returns them to outside observers. */
export function deletePipeline(instance: Instance, pipeline: Pipeline): void {
  const now = instance.now();
  pipeline.deletedAt = now;
  for (const job of instance.state.jobs) {
    if (job.pipelineId !== pipeline.id) continue;
    job.deletedAt = now;
    instance.traces.remove(job.id);
  }
  instance.changed();
}
