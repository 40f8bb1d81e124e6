import type { WaitingJobs } from '../../../src/domain/registration.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { World } from '../world/world.ts';

/**
 * Lists pending jobs in some projects as GitLab does. Projects whose jobs the token cannot see are
 * missing.
 */
export function waitingJobs(world: World, projects: readonly string[]): WaitingJobs {
  if (world.behaviour.runners !== undefined)
    throw new PortFailure({
      kind: 'refused',
      effect: 'none',
      source: 'GitHub jobs that wait',
      detail: 'GitHub lists them for a repository, not for a runner',
    });
  const all = Object.values(world.jobs);
  const isSeen = (project: string) => all.some((job) => job.project === project && job.visible);
  const waiting = all
    .filter(({ status, visible }) => status === 'waiting' && visible)
    .sort((one, other) => Number(other.id) - Number(one.id));
  return {
    jobs: projects.flatMap((project) =>
      waiting
        .filter((job) => job.project === project)
        .slice(0, 100)
        .map(({ id, name, tags }) => ({ id, name, project, tags })),
    ),
    unread: [],
    missing: projects.filter((project) => !isSeen(project)),
  };
}
