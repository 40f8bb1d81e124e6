import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { Shard } from '../../src/domain/shard.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { CheckLimit } from '../../src/ports/runner-host.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { createRunMemory } from '../../src/stages/context/run-memory.ts';
import { parameterNames } from '../../src/stages/record/parameter-names.ts';
import { drainShard } from '../../src/stages/steps/drain/drain.ts';
import { pink, purple } from '../fakes/builders.ts';
import { runningHost, usualSettings } from '../waits/stage-world.ts';
import type { SimulatedStack } from './simulated-gitlab.ts';

const startedAt = '2026-11-02T08:00:00.000Z';
/** Duration of a Run Command without its wait on the host. */
const commandMs = 1200;

/** Runs the drain stage forever on purple, whose job never ends, with pink active. */
export async function drainForever(
  clock: Clock,
  settings: StackSettings,
  stack: SimulatedStack,
): Promise<void> {
  await drainShard(contextOf(clock, settings, stack), purple);
}

export function settingsOf({ runnerName }: SimulatedStack): StackSettings {
  return { ...usualSettings(), runnerName };
}

function contextOf(
  clock: Clock,
  settings: StackSettings,
  { registrations, registry }: SimulatedStack,
): StageContext {
  const ignore = () => {};
  return {
    stage: 'shutdown',
    settings,
    run: { ci: 'gitlab', deploymentId: '1-200', jobId: '1', by: 'schedule' },
    ports: {
      clock,
      random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
      account: { credentialsEnd: () => undefined },
      host: hostOf(clock),
      registry,
      infrastructure: { exists: async () => 'present' },
      canary: { listIds: async () => [] },
    },
    names: parameterNames(settings),
    journal: journalOf(registrations),
    memory: createRunMemory(),
    log: { section: ignore, act: ignore, warn: ignore, wait: ignore, event: ignore },
  } as unknown as StageContext;
}

function journalOf(registrations: SimulatedStack['registrations']) {
  const entry = (shard: Shard) => ({
    registration: registrations[shard],
    tokenWritten: true,
    unhealthyInARow: 0,
    productionTag: true,
  });
  const intake = { state: 'paused', by: 'deployment', since: startedAt };
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
    },
    shards: { [pink]: entry(pink), [purple]: { ...entry(purple), intake } },
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

/**
 * Creates the hosts: purple's runs the job, and pink's counts another successful request at each
 * check.
 */
function hostOf(clock: Clock) {
  let answered = 0;
  return {
    list: async ({ shard }: { readonly shard: Shard }) => [{ id: `i-${shard}`, agent: 'online' }],
    async look(id: string, { untilIdleMs = 0 }: CheckLimit = {}) {
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
