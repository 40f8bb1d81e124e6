import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import type { CheckLimit } from '../../src/ports/runner-host.ts';
import { drainShard } from '../../src/stages/steps/drain/drain.ts';
import { collectEvidence } from '../../src/stages/steps/healthcheck/collect-evidence.ts';
import { purple } from '../fakes/builders.ts';
import type { Readiness } from './readiness.ts';
import type { Outcome } from './schedules.ts';
import {
  queryAws,
  queryGitLab,
  registration,
  runningHost,
  runOnHost,
  stageOver,
  startTime,
  usualSettings,
  waitOnHost,
} from './stage-world.ts';

export interface DrainOutcome extends Outcome {
  /** Duration of the check that ended the window. */
  readonly lastPollMs: number;
}

const { pollOfRunnerMs, pollMs: drainPollMs } = usualSettings().drain;
/** Fields of a manager, a job and a runner in every response of GitLab. */
const worker = { id: 701, systemId: 's_1', version: '19.2.0', execution: 'idle' };
const moment = '2026-11-02T08:00:00.000Z';

/**
 * Runs the wait of `provision` over responses that take time. The fact is visible after the
 * canary's end and the workload probe on the host.
 */
export async function waitForReady(
  { instanceAt, managerAt, takenAt, readyAt }: Readiness,
  chance: () => number,
): Promise<Outcome> {
  const time = startTime(chance);
  let probedAt = 0;
  const context = stageOver(time, {
    host: {
      list: () => queryAws(time, (at) => (at < instanceAt ? [] : [{ id: 'i-1', agent: 'online' }])),
      look: () => runOnHost(time, () => runningHost),
      verifyToken: () => runOnHost(time, () => ({ kind: 'accepted', detail: 'is valid' })),
      probeWorkload: () =>
        runOnHost(
          time,
          () => {
            probedAt = time.now;
            return { kind: 'worked' };
          },
          1500,
        ),
    },
    registry: {
      traits: { words: gitlabTerms },
      readEnding: async () => ({ kind: 'none' }),
      listWorkers: () =>
        queryGitLab(time, (at) => ({
          kind: 'found',
          value: at < managerAt ? [] : [{ ...worker, contactedAt: moment, createdAt: moment }],
        })),
    },
    canary: { findNewest: () => queryGitLab(time, (at) => canaryAt(at, { takenAt, readyAt })) },
  });
  const { verdict } = await collectEvidence(context, purple);
  if (verdict.kind !== 'healthy') throw new Error(`the verdict is ${verdict.kind}`);
  return {
    delayMs: time.now - Math.max(readyAt, probedAt),
    calls: time.gitlabCalls,
    awsCalls: time.awsCalls,
  };
}

function canaryAt(at: number, { takenAt, readyAt }: Pick<Readiness, 'takenAt' | 'readyAt'>) {
  const job = { id: '9', createdAt: moment, url: 'https://gitlab.example.com/-/jobs/9' };
  if (at < takenAt) return { ...job, status: 'waiting' };
  const taken = { ...job, registrationId: registration, workerId: worker.id, startedAt: moment };
  return at < readyAt
    ? { ...taken, status: 'running' }
    : { ...taken, status: 'success', finishedAt: moment };
}

/**
 * Number of GitLab requests for the jobs of a runner that has had more than 100, by status, and for
 * runners by name.
 */
const requestsOf = { jobs: 3, byShard: 1 } as const;

/** Runs the whole wait of `shutdown`. Its confirmation window is measured separately. */
export async function waitForDrained(endAt: number, chance: () => number): Promise<DrainOutcome> {
  const time = startTime(chance);
  let checkedAt = 0;
  const isBusy = (at: number) => at < endAt;
  const job = { id: '5', name: 'build', status: 'running', project: 'shop', url: 'https://x' };
  const report = (at: number) => ({ ...runningHost, jobs: isBusy(at) ? ['job 5'] : [] });
  const context = stageOver(time, {
    host: {
      list: () => {
        checkedAt = time.now;
        return queryAws(time, () => [{ id: 'i-1', agent: 'online' }]);
      },
      look: (_: string, { untilIdleMs = 0 }: CheckLimit = {}) =>
        untilIdleMs === 0
          ? runOnHost(time, report)
          : waitOnHost(time, { untilIdleMs, isBusy }, report),
    },
    registry: {
      traits: { words: gitlabTerms, idleSource: 'counts', registrationsPer: 'shard' },
      find: () =>
        queryGitLab(time, (at) => ({
          kind: 'found',
          value: {
            id: registration,
            paused: true,
            execution: isBusy(at) ? 'active' : 'idle',
            tags: ['linux'],
          },
        })),
      findByShard: () => queryGitLab(time, () => [], requestsOf.byShard),
      listJobs: () =>
        queryGitLab(
          time,
          (at) => ({ kind: 'found', value: isBusy(at) ? [job] : [] }),
          requestsOf.jobs,
        ),
    },
    infrastructure: { exists: async () => 'present' },
  });
  await drainShard(context, purple);
  return {
    delayMs: checkedAt - endAt - pollOfRunnerMs,
    lastPollMs: time.now - checkedAt,
    // A check that began during the last job counts from its start, since its responses came later.
    isEarly: time.now - endAt < pollOfRunnerMs - drainPollMs,
    calls: time.gitlabCalls,
    awsCalls: time.awsCalls,
  };
}
