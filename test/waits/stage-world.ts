import type { StackSettings } from '../../src/domain/settings.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { Ports } from '../../src/ports/ports.ts';
import type { HostReport } from '../../src/ports/runner-host.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { createRunMemory } from '../../src/stages/context/run-memory.ts';
import { parameterNames } from '../../src/stages/record/parameter-names.ts';
import { purple } from '../fakes/builders.ts';
import { settingsWith } from '../fakes/default-settings.ts';

export const registration = '48214' as RegistrationId;

/** Time that waits and responses take. One stage makes one request after another. */
export interface StageTime {
  readonly chance: () => number;
  now: number;
  /** Requests to GitLab's API. */
  gitlabCalls: number;
  awsCalls: number;
}

export function startTime(chance: () => number): StageTime {
  return { chance, now: 0, gitlabCalls: 0, awsCalls: 0 };
}

/**
 * Returns the duration of a GitLab response in this model: at least 40 ms, 120 ms on average,
 * sometimes half a second.
 */
function gitlabMs(time: StageTime): number {
  return 40 - 80 * Math.log(1 - 0.999 * time.chance());
}

/** Queries GitLab. The response has the fact of half-way through the request. */
export async function queryGitLab<T>(
  time: StageTime,
  answer: (at: number) => T,
  requests = 1,
): Promise<T> {
  time.gitlabCalls += requests;
  for (let left = requests - 1; left > 0; left -= 1) time.now += gitlabMs(time);
  return answered(time, answer);
}

/** Queries AWS. A request takes the same time as GitLab's. */
export async function queryAws<T>(time: StageTime, answer: (at: number) => T): Promise<T> {
  time.awsCalls += 1;
  return answered(time, answer);
}

function answered<T>(time: StageTime, answer: (at: number) => T): T {
  const ms = gitlabMs(time);
  const value = answer(time.now + ms / 2);
  time.now += ms;
  return value;
}

/** Runs a Run Command: the send and each poll until its end on the host are one call each. */
export async function runOnHost<T>(
  time: StageTime,
  answer: (endedAt: number) => T,
  hostMs = 600,
): Promise<T> {
  const doneAt = time.now + 300 + hostMs + 400 * time.chance();
  follow(time, doneAt, longestMs.command);
  return answer(doneAt);
}

/**
 * Waits on a host that checks every half second whether a job runs. A check takes the time of its
 * processes.
 */
export async function waitOnHost<T>(
  time: StageTime,
  { untilIdleMs, isBusy }: { untilIdleMs: number; isBusy: (at: number) => boolean },
  answer: (endedAt: number) => T,
): Promise<T> {
  const begunAt = time.now + 300 + 400 * time.chance();
  let checkedAt = begunAt;
  while (checkedAt < begunAt + untilIdleMs && isBusy(checkedAt)) checkedAt += 500;
  follow(time, checkedAt + checkMs, longestMs.wait);
  return answer(checkedAt);
}

/** Duration of the last check of a waiting script on its host. */
const checkMs = 150;

function follow(time: StageTime, doneAt: number, mostMs: number): void {
  time.awsCalls += 1;
  for (let pauseMs = 600; time.now < doneAt; pauseMs = Math.min(mostMs, pauseMs * 1.6)) {
    time.now += pauseMs + 60;
    time.awsCalls += 1;
  }
}

/** Limits of src/adapters/aws/hosts/run-command.ts. */
const longestMs = { command: 2000, wait: 800 } as const;

export const runningHost: HostReport = {
  kind: 'report',
  process: 'running',
  restarts: true,
  jobs: [],
  ready: 'ready',
  systemId: 's_1',
  version: '19.2.0',
  log: [],
};

/** Returns the default settings, which a user gets. */
export function usualSettings(): StackSettings {
  return settingsWith({ 'healthcheck.evidence.workload': 'required' });
}

/** Returns a stage's context with only the ports of its wait. Any other port is an error. */
export function stageOver(
  time: StageTime,
  ports: Partial<Record<keyof Ports, object>>,
): StageContext {
  const settings = usualSettings();
  const clock = {
    now: () => Date.parse('2026-11-02T08:00:00.000Z') + time.now,
    elapsed: () => time.now,
    sleep: async (durationMs: number) => {
      time.now += durationMs;
    },
  };
  const random = { id: () => 'abcdefgh12345678', fraction: time.chance };
  const record = {
    deployment: {
      id: '1-200',
      kind: 'deploy',
      pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
      by: 'schedule',
      candidate: purple,
      phase: 'draining',
      phaseAt: '2026-11-02T08:00:00.000Z',
      startedAt: '2026-11-02T08:00:00.000Z',
    },
    shards: {
      [purple]: { registration, tokenWritten: true, unhealthyInARow: 0, productionTag: false },
    },
    history: [],
  };
  const journal = {
    current: () => record,
    read: async () => record,
    write: async () => record,
    fence: async () => {},
    version: () => 1,
  };
  const ignore = () => {};
  return {
    stage: 'provision',
    again: 'hosted-runner provision --runner linux',
    settings,
    run: { ci: 'gitlab', deploymentId: '1-200', jobId: '1', by: 'schedule' },
    ports: { clock, random, account: { credentialsEnd: () => undefined }, ...ports },
    names: parameterNames(settings),
    journal,
    memory: createRunMemory(),
    log: { section: ignore, act: ignore, warn: ignore, wait: ignore, event: ignore },
  } as unknown as StageContext;
}

export function notFound(source: string): PortFailure {
  return new PortFailure({ kind: 'refused', effect: 'none', source, detail: '404', status: 404 });
}
