import {
  type Deployment,
  type DeploymentRecord,
  type ShardEntry,
  untouchedShard,
} from '../../src/domain/deployment/record.ts';
import { type ForwardPhase, phases } from '../../src/domain/deployment/stages-and-steps.ts';
import type { Registration, RegistryJob } from '../../src/domain/registration.ts';
import type { DeploymentId, RegistrationId, Shard } from '../../src/domain/shard.ts';

export const pink = 'pink' as Shard;
export const purple = 'purple' as Shard;

/** Lists phases in the order of a deployment, without `end`. */
export function phasesFrom(first: ForwardPhase, end?: ForwardPhase): ForwardPhase[] {
  return phases.slice(phases.indexOf(first), end && phases.indexOf(end));
}

/** Returns a record: purple replaces pink, by pipeline 1-200 of eight o'clock. */
export function recordAt(
  deployment: Partial<Deployment> = {},
  shards: Readonly<Record<string, Partial<ShardEntry>>> = {},
): DeploymentRecord {
  return {
    deployment: {
      id: '1-200' as DeploymentId,
      kind: 'deploy',
      pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
      by: 'deployer',
      candidate: purple,
      retiring: pink,
      phase: 'prepared',
      phaseAt: '2026-11-02T08:05:00.000Z',
      startedAt: '2026-11-02T08:00:00.000Z',
      ...deployment,
    },
    shards: Object.fromEntries(
      Object.entries(shards).map(([shard, entry]) => [shard, { ...untouchedShard, ...entry }]),
    ),
    history: [
      { id: '1-100', kind: 'deploy', candidate: 'pink', finishedAt: '2026-11-01T09:00:00.000Z' },
    ],
  };
}

export function registrationOf(changes: Partial<Registration> = {}): Registration {
  return {
    id: '48214' as RegistrationId,
    description: 'purple-linux',
    note: 'hosted-runner-deploy deployment=1-200',
    paused: false,
    tags: ['canary-1-200-linux'],
    runUntagged: false,
    contacted: true,
    execution: 'idle',
    ...changes,
  };
}

export function jobOf(changes: Partial<RegistryJob> = {}): RegistryJob {
  return {
    id: '9',
    name: 'build',
    status: 'running',
    project: 'customers/shop',
    url: 'https://gitlab.example.com/customers/shop/-/jobs/9',
    ...changes,
  };
}
