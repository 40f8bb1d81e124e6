import type { Execution } from '../../../src/domain/registration.ts';
import { gitlabHas } from '../world/gitlab-version.ts';
import type { JobState, World } from '../world/world.ts';

/** Returns the status in REST: unknown if the version has none. */
export function executionInRest(world: World, jobs: readonly JobState[]): Execution {
  return gitlabHas(world, 'executionInRest') || world.behaviour.runners !== undefined
    ? executionOf(world, jobs)
    : 'unknown';
}

/**
 * Returns the execution status of all given jobs. GitLab ignores assigned jobs, and in newer
 * versions also canceling ones.
 */
export function executionOf(world: World, jobs: readonly JobState[]): Execution {
  const counts = ({ status }: JobState) =>
    status === 'running' ||
    (status === 'canceling' && !gitlabHas(world, 'executionIgnoresCanceling'));
  return jobs.some(counts) ? 'active' : 'idle';
}
