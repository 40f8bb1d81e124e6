import { gitlabWords } from '../../src/adapters/gitlab/words.ts';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import type { RegistrationId, Shard } from '../../src/domain/shard.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LookLimit } from '../../src/ports/runner-host.ts';
import { drainShard } from '../../src/stages/drain/drain.ts';
import { parameterNames } from '../../src/stages/record/names.ts';
import type { StageContext } from '../../src/stages/walk/context.ts';
import { pink, purple } from '../fakes/builders.ts';
import { runningHost, usualSettings } from '../waits/stage-world.ts';

/** What a draining stack calls, and on which clock. */
export interface Surroundings {
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  /** So many requests of GitLab's API are sent one after the other. */
  gitlab(requests: number): Promise<void>;
}

const startedAt = '2026-11-02T08:00:00.000Z';
const registrations = { [pink]: '48214', [purple]: '48213' } as Record<Shard, RegistrationId>;
/** What a Run Command takes beside the wait on its host. */
const commandMs = 1200;
/** The requests that GitLab's adapter makes for one call of its port. */
const requestsOf = { listJobs: 3, findByShard: 2, listFinishedJobs: 2 } as const;

/** Drains purple, whose job does not end, while pink serves: the stage itself, for ever. */
export async function drainForever(around: Surroundings): Promise<void> {
  await drainShard(contextOf(around), purple);
}

function contextOf(around: Surroundings): StageContext {
  const settings = usualSettings();
  const { clock } = around;
  const silence = () => {};
  return {
    stage: 'shutdown',
    settings,
    run: { ci: 'gitlab', deploymentId: '1-200', jobId: '1', by: 'schedule' },
    ports: {
      clock: { ...clock, now: () => Date.parse(startedAt) + clock.elapsed() },
      random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
      account: { credentialsEnd: () => undefined },
      host: hostOf(around),
      registry: registryOf(around),
      infrastructure: { exists: async () => 'present' },
      canary: { listIds: async () => around.gitlab(1).then(() => []) },
    },
    names: parameterNames(settings),
    journal: journalOf(),
    watches: new Map(),
    warned: new Set(),
    log: { section: silence, act: silence, warn: silence, wait: silence, event: silence },
  } as unknown as StageContext;
}

function journalOf() {
  const entry = (shard: Shard) => ({
    registration: registrations[shard],
    tokenWritten: true,
    unhealthyInARow: 0,
    productionTag: true,
  });
  let record = {
    deployment: {
      id: '1-200',
      kind: 'deploy',
      pipelineCreatedAt: startedAt,
      by: 'schedule',
      candidate: pink,
      retiring: purple,
      phase: 'draining',
      phaseAt: startedAt,
      startedAt,
      closedAt: startedAt,
    },
    shards: { [pink]: entry(pink), [purple]: entry(purple) },
    history: [],
  } as unknown as DeploymentRecord;
  return {
    current: () => record,
    read: async () => record,
    write: async (next: DeploymentRecord) => {
      record = next;
      return record;
    },
    fence: async () => {},
    version: () => 1,
  };
}

/** Purple's host runs the job; pink's counts another answered request at each check. */
function hostOf({ clock }: Surroundings) {
  let answered = 0;
  return {
    list: async ({ shard }: { readonly shard: Shard }) => [{ id: `i-${shard}`, agent: 'online' }],
    async look(id: string, { untilIdleMs = 0 }: LookLimit = {}) {
      await clock.sleep(untilIdleMs + commandMs);
      answered += 1;
      const isPink = id === `i-${pink}`;
      return {
        ...runningHost,
        jobs: isPink ? [] : ['job 5'],
        requests: { answered, refused: 0, slots: 4 },
      };
    },
  };
}

function registryOf({ gitlab }: Surroundings) {
  const job = { id: '5', name: 'build', status: 'running', project: 'shop', url: 'https://x' };
  const found = async <T>(value: T, requests = 1) => {
    await gitlab(requests);
    return { kind: 'found', value };
  };
  return {
    traits: { words: gitlabWords, idleWord: 'counts', registrationsPer: 'shard' },
    find: (id: RegistrationId) =>
      found({
        id,
        paused: id === registrations[purple],
        execution: id === registrations[purple] ? 'active' : 'idle',
        tags: ['linux'],
        runUntagged: false,
      }),
    listWorkers: () => found([{ id: 701, systemId: 's_1', version: '19.2.0' }]),
    listJobs: (id: RegistrationId) =>
      found(id === registrations[purple] ? [job] : [], requestsOf.listJobs),
    listFinishedJobs: () => found([], requestsOf.listFinishedJobs),
    findByShard: async () => {
      await gitlab(requestsOf.findByShard);
      return [];
    },
  };
}
