import type { Instance } from './instance.ts';
import { requeue } from './jobs/transitions.ts';
import type { Manager, Pipeline, Runner } from './state.ts';

// GitLab asks nobody whether the runner is busy: its jobs go on without a row to point at.
export function removeRunner(instance: Instance, runner: Runner): void {
  const { state } = instance;
  state.runners = state.runners.filter((row) => row !== runner);
  state.managers = state.managers.filter((row) => row.runnerId !== runner.id);
  releaseUnacknowledged(instance, runner);
  instance.changed();
}

/** The host unregisters; with the last one the older GitLabs forget that the runner was ever heard of. */
export function removeManager(instance: Instance, runner: Runner, manager: Manager): void {
  const { state, features } = instance;
  state.managers = state.managers.filter((row) => row !== manager);
  const isLast = !state.managers.some((row) => row.runnerId === runner.id);
  if (isLast && !features.contactOutlivesManagers) runner.contactedAt = null;
  instance.changed();
}

// An assignment is a foreign key: it goes with the runner, and the job waits again.
function releaseUnacknowledged(instance: Instance, runner: Runner): void {
  for (const job of instance.state.jobs) {
    if (job.status === 'pending' && job.runnerId === runner.id) requeue(instance, job);
  }
}

/** With its jobs and their traces. They stay in the books, for those who count from outside. */
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
