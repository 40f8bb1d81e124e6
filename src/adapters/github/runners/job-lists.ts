import type { RegistrationId } from '../../../domain/shard.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { RunnerRegistry } from '../../../ports/registry.ts';

// A GitHub job names its runner, but not whether the runner failed it: `conclusion` is also
// `failure` if the script failed.
const refuseFinished = (id: RegistrationId) =>
  Promise.reject(
    refusedByGitHub(`jobs of ${id}`, 'GitHub does not list the finished jobs of a runner'),
  );

/** Job lists that GitHub does not offer. */
export const jobLists: Pick<
  RunnerRegistry,
  'listFinishedJobs' | 'listNewestJobs' | 'listBegunJobs' | 'readJobHistory' | 'listWaitingJobs'
> = {
  listFinishedJobs: refuseFinished,
  listNewestJobs: refuseFinished,
  listBegunJobs: refuseFinished,
  readJobHistory: refuseFinished,
  listWaitingJobs: () =>
    Promise.reject(refusedByGitHub('jobs that wait', 'GitHub lists none here')),
};

export function refusedByGitHub(what: string, detail: string): PortFailure {
  return new PortFailure({ kind: 'refused', effect: 'none', source: `GitHub ${what}`, detail });
}
