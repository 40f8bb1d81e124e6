import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { type DrainObservation, judgeDrain } from '../../../src/domain/drain/drain-check.ts';

export const rules = {
  pollOfRunnerMs: 10_000,
  confirmationMs: 180_000,
  words: gitlabTerms,
  idleSource: 'counts',
} as const;
export const idleHost = { kind: 'jobs', host: 'i-1', count: 0 } as const;
export const workingHost = { kind: 'jobs', host: 'i-1', count: 1 } as const;
export const unresponsiveHost = {
  kind: 'silent',
  host: 'i-1',
  reason: 'the SSM agent does not respond',
} as const;
export const stoppedHost = { kind: 'stopped', host: 'i-1' } as const;
export const gone = { kind: 'gone' } as const;

/** Observation of a paused shard without jobs, which the host confirms. */
export function pollAt(seconds: number, changes: Partial<DrainObservation> = {}): DrainObservation {
  return {
    at: seconds * 1000,
    registration: { kind: 'seen', paused: true, execution: 'idle' },
    jobs: [],
    hosts: [idleHost],
    hostsGone: false,
    ...changes,
  };
}

export const verdictOf = (...polls: readonly DrainObservation[]) => judgeDrain(polls, rules);
