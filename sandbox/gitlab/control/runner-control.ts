import { fullPathOf } from '../answers/access.ts';
import type { GitLab } from '../answers/surface.ts';
import type { Instance } from '../instance.ts';
import { requireProject } from './token-control.ts';

const WATCHED_FOR_MS = 10_000;

/** Changes runners and projects without the deployment's knowledge. */
export function createRunnerControl(
  instance: Instance,
): Pick<
  GitLab,
  | 'orphanRunner'
  | 'setRunnerLimit'
  | 'setRunnerTokenLife'
  | 'watchTrace'
  | 'showPipelinesToGuests'
  | 'moveProject'
  | 'configureWorkflow'
> {
  const { state } = instance;
  return {
    orphanRunner(id) {
      const runner = state.runners.find((row) => row.id === id);
      if (runner === undefined) throw new RangeError(`There is no runner ${id}.`);
      runner.projectIds = [];
      instance.changed();
    },
    setRunnerLimit(most) {
      if (most === undefined) delete state.mostRunners;
      else state.mostRunners = most;
      instance.changed();
    },
    setRunnerTokenLife(seconds) {
      if (seconds === undefined) delete state.runnerTokenSeconds;
      else state.runnerTokenSeconds = seconds;
      instance.changed();
    },
    watchTrace(jobId) {
      const job = state.jobs.find((row) => row.id === jobId);
      if (job === undefined) throw new RangeError(`There is no job ${jobId}.`);
      job.watchedUntil = instance.now() + WATCHED_FOR_MS;
      instance.changed();
    },
    showPipelinesToGuests(reference) {
      requireProject(instance, reference).pipelinesForGuests = true;
      instance.changed();
    },
    configureWorkflow(reference, workflow) {
      requireProject(instance, reference).settings.workflow = workflow;
      instance.changed();
    },
    moveProject(reference, name) {
      const project = requireProject(instance, reference);
      project.formerPaths = [...(project.formerPaths ?? []), fullPathOf(instance, project)];
      project.path = name;
      instance.changed();
    },
  };
}
