import type { RegistrationId } from '../../../domain/shard.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { RunnerRegistry } from '../../../ports/registry.ts';

// A job tells its runner, and not whether that one failed it: `conclusion` is `failure` for the script's fault, too.
const refuseFinished = (id: RegistrationId) =>
  Promise.reject(
    refusedByGitHub(`jobs of ${id}`, 'GitHub does not list what a runner has finished'),
  );

/** What GitHub lists for nobody. */
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
