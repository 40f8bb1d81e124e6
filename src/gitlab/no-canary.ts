import type { CanaryJobs } from '../ports/canary.ts';
import { PortFailure } from '../ports/failure.ts';
import { canaryTag } from './canary-tag.ts';

/** Where no canary job can be: outside of a pipeline, with `canary.kind: job`, or switched off. */
export function createNoCanary({
  deploymentId,
  runnerName,
}: {
  deploymentId: string;
  runnerName: string;
}): CanaryJobs {
  return {
    tag: canaryTag(deploymentId, runnerName),
    byHand:
      'set canary.kind to project, so that a canary can be started from outside of a pipeline',
    findNewest: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    start: () =>
      Promise.reject(
        new PortFailure({
          kind: 'refused',
          effect: 'none',
          source: 'The canary',
          detail: 'canary.kind is job, and this run is not a job of a GitLab pipeline',
        }),
      ),
    cancel: () => Promise.resolve(0),
  };
}
