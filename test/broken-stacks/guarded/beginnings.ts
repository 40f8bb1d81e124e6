import { linux, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { arrive } from '../../stages/reach.ts';
import type { GuardedStack } from '../broken-stack.ts';
import {
  at,
  candidateOf,
  elsewhere,
  hour,
  names,
  rolledBack,
  stack,
  withLivingLock,
} from './guarded-stack.ts';

/** Cases of guards that are checked when a stage begins. */
export const beginningStacks: readonly GuardedStack[] = [
  {
    guard: 'account',
    code: 'WrongAccount',
    name: 'a stack is deployed again in the wrong account, which has no record',
    command: 'prepare',
    build: async () => worldWithActive(pink, { stacks: [elsewhere] }),
  },
  {
    guard: 'lock',
    code: 'LockHeld',
    name: 'two jobs of one stack work side by side',
    command: 'onboard',
    build: () => arrive('onboarded').then(withLivingLock),
    options: { jobId: 'another' },
  },
  {
    guard: 'hold',
    code: 'Held',
    name: 'a shard that an operator needs is drained during their work',
    command: 'shutdown',
    build: () =>
      at('promoted', (world) =>
        putParameter(world, {
          name: names.hold,
          value: '{"who":"kim","why":"purple drops jobs","since":"2026-11-02T08:00:00.000Z"}',
        }),
      ),
  },
  {
    guard: 'owner',
    code: 'PipelineSuperseded',
    name: 'a pipeline of yesterday builds and promotes an outdated configuration',
    command: 'provision',
    build: () =>
      at('onboarded', (world) =>
        addPipeline(world, { deploymentId: '1-150', createdAt: world.now - 24 * hour }),
      ),
    options: { deploymentId: '1-150' },
  },
  {
    guard: 'order',
    code: 'StageOutOfOrder',
    name: 'a shard is deregistered and destroyed without a drain',
    command: 'cleanup',
    build: () => at('promoted', () => undefined),
  },
  {
    guard: 'own_runner',
    code: 'RunsOnTheShardItTouches',
    name: 'a drain waits for its own job without end',
    command: 'shutdown',
    build: () => at('promoted', () => undefined),
    options: { ownRegistrationId: '48213', deadline: Date.parse('2026-11-02T20:00:00.000Z') },
  },
  {
    guard: 'permissions',
    code: 'PreflightFailed',
    name: 'a deployment stops half way with two living shards, because a permission is missing',
    command: 'prepare',
    build: async () =>
      worldWithActive(pink, { behaviour: { missingGrants: ['ec2:TerminateInstances'] } }),
  },
  {
    guard: 'onboarding',
    code: 'ForeignRegistration',
    name: 'a runner that another actor created is taken over',
    command: 'onboard',
    build: () =>
      at('prepared', (world) =>
        addRegistration(world, {
          shard: { runnerName: linux, shard: purple },
          settings: stack.registration,
          tags: ['special'],
          note: 'somebody’s',
        }),
      ),
  },
  {
    guard: 'inactive_shard',
    code: 'InactiveShardHealthy',
    name: 'a shard with customer jobs is quarantined and rebuilt',
    command: 'provision',
    build: () =>
      at('applied', (world) =>
        Object.assign(candidateOf(world), { tags: ['linux'], contacted: true }),
      ),
  },
  {
    guard: 'repetition',
    code: 'TakenBackBefore',
    name: 'a configuration that an operator rolled back at night is deployed again by the schedule in the morning',
    command: 'prepare',
    build: rolledBack,
    options: { deploymentId: '1-300' },
  },
];
