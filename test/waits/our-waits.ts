import { gitlabWords } from '../../src/adapters/gitlab/words.ts';
import { drainShard } from '../../src/stages/drain/drain.ts';
import { collectEvidence } from '../../src/stages/health/collect-evidence.ts';
import { purple } from '../fakes/builders.ts';
import type { Readiness } from './readiness.ts';
import type { Outcome } from './schedules.ts';
import {
  askGitLab,
  registration,
  runningHost,
  runOnHost,
  type StageTime,
  stageOver,
  usualSettings,
} from './stage-world.ts';

export interface DrainOutcome extends Outcome {
  /** How long the look took that ended the window. */
  readonly lastLookMs: number;
}

const { pollOfRunnerMs, pollMs: drainPollMs } = usualSettings().drain;
/** What a manager, a job and a runner have in every answer of GitLab. */
const worker = { id: 701, systemId: 's_1', version: '19.2.0', execution: 'idle' };
const moment = '2026-11-02T08:00:00.000Z';

/**
 * The wait of `provision` itself, over answers that take their time. The fact can be seen once the
 * canary has ended and what we do on the host ourselves, the probe of its workload, is done.
 */
export async function waitForReady(
  { instanceAt, managerAt, takenAt, readyAt }: Readiness,
  chance: () => number,
): Promise<Outcome> {
  const time: StageTime = { chance, now: 0, calls: 0 };
  let probedAt = 0;
  const context = stageOver(time, {
    host: {
      list: () =>
        askGitLab(time, (at) => (at < instanceAt ? [] : [{ id: 'i-1', agent: 'online' }])),
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
      traits: { words: gitlabWords },
      readEnding: async () => ({ kind: 'none' }),
      listWorkers: () =>
        askGitLab(time, (at) => ({
          kind: 'found',
          value: at < managerAt ? [] : [{ ...worker, contactedAt: moment, createdAt: moment }],
        })),
    },
    canary: { findNewest: () => askGitLab(time, (at) => canaryAt(at, { takenAt, readyAt })) },
  });
  const { verdict } = await collectEvidence(context, purple);
  if (verdict.kind !== 'healthy') throw new Error(`the verdict is ${verdict.kind}`);
  return { delayMs: time.now - Math.max(readyAt, probedAt), calls: time.calls };
}

function canaryAt(at: number, { takenAt, readyAt }: Pick<Readiness, 'takenAt' | 'readyAt'>) {
  const job = { id: '9', createdAt: moment, url: 'https://gitlab.example.com/-/jobs/9' };
  if (at < takenAt) return { ...job, status: 'waiting' };
  const taken = { ...job, registrationId: registration, workerId: worker.id, startedAt: moment };
  return at < readyAt
    ? { ...taken, status: 'running' }
    : { ...taken, status: 'success', finishedAt: moment };
}

/** So much of a long drain is run; the hours before it are looks like these, and their calls are counted. */
const drainShownMs = 90_000;

/** The wait of `shutdown` itself, beside its confirmation window. */
export async function waitForDrained(
  lastJobEndAt: number,
  chance: () => number,
): Promise<DrainOutcome> {
  const time: StageTime = { chance, now: 0, calls: 0 };
  const endAt = Math.min(lastJobEndAt, drainShownMs + (lastJobEndAt % drainPollMs));
  let busyCalls = 0;
  let lookedAt = 0;
  const isBusy = (at: number) => {
    if (at < endAt) busyCalls = time.calls;
    return at < endAt;
  };
  const job = { id: '5', name: 'build', status: 'running', project: 'shop', url: 'https://x' };
  const context = stageOver(time, {
    host: {
      list: () => {
        lookedAt = time.now;
        return askGitLab(time, () => [{ id: 'i-1', agent: 'online' }]);
      },
      look: () => runOnHost(time, (at) => ({ ...runningHost, jobs: isBusy(at) ? ['job 5'] : [] })),
    },
    registry: {
      traits: { words: gitlabWords },
      find: () =>
        askGitLab(time, (at) => ({
          kind: 'found',
          value: {
            id: registration,
            paused: true,
            execution: isBusy(at) ? 'active' : 'idle',
            tags: ['linux'],
          },
        })),
      findByShard: () => askGitLab(time, () => []),
      listJobs: () => askGitLab(time, (at) => ({ kind: 'found', value: isBusy(at) ? [job] : [] })),
    },
    infrastructure: { exists: async () => 'present' },
  });
  await drainShard(context, purple);
  const skipped = ((lastJobEndAt - endAt) / Math.max(endAt, 1)) * busyCalls;
  const lastLookMs = time.now - lookedAt;
  return {
    delayMs: lookedAt - endAt - pollOfRunnerMs,
    lastLookMs,
    // A look that began while the last job ran counts from its beginning; its answers came later.
    isEarly: time.now - endAt < pollOfRunnerMs - drainPollMs,
    calls: Math.round(time.calls + skipped),
  };
}
