import type { Execution } from '../../../src/domain/registration.ts';
import { gitlabHas } from '../world/gitlab-version.ts';
import type { JobState, World } from '../world/world.ts';

/** REST's word: unknown where the version has none. */
export function executionInRest(world: World, jobs: readonly JobState[]): Execution {
  return gitlabHas(world, 'executionInRest') || world.behaviour.runners !== undefined
    ? executionOf(world, jobs)
    : 'unknown';
}

/** Blind to assigned jobs, and of late to canceling ones, whoever's they are. */
export function executionOf(world: World, jobs: readonly JobState[]): Execution {
  const counts = ({ status }: JobState) =>
    status === 'running' ||
    (status === 'canceling' && !gitlabHas(world, 'executionIgnoresCanceling'));
  return jobs.some(counts) ? 'active' : 'idle';
}
