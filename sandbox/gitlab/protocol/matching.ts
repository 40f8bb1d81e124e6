import { projectById } from '../entities/project.ts';
import type { Instance } from '../instance.ts';
import type { Job, Runner } from '../state.ts';

/** Finds the oldest pending job that this runner may run. */
export function findJobFor(instance: Instance, runner: Runner): Job | undefined {
  return instance.state.jobs.find((job) => isWaiting(job) && runnerTakes(instance, runner, job));
}

function isWaiting(job: Job): boolean {
  return (
    job.status === 'pending' && job.runnerId === null && !job.external && job.deletedAt === null
  );
}

/**
 * Decides whether a runner matches a job: it needs every tag of the job, exactly. A pause is
 * ignored here.
 */
export function runnerTakes(instance: Instance, runner: Runner, job: Job): boolean {
  if (!reaches(instance, runner, job.projectId)) return false;
  if (runner.accessLevel === 'ref_protected' && !isProtected(instance, job)) return false;
  if (job.tags.length === 0) return runner.runUntagged;
  return job.tags.every((tag) => runner.tags.includes(tag));
}

function reaches(instance: Instance, runner: Runner, projectId: number): boolean {
  if (runner.type === 'instance_type') return true;
  if (runner.type === 'project_type') return runner.projectIds.includes(projectId);
  return projectById(instance, projectId).groupId === runner.groupId;
}

function isProtected(instance: Instance, job: Job): boolean {
  return projectById(instance, job.projectId).protectedBranches.includes(job.ref);
}
