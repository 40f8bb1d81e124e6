import type { GuardName } from '../../src/domain/guard-catalogue.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { formatStatus } from '../../src/domain/status.ts';
import { consentOf } from '../../src/operator/confirm.ts';
import { recover } from '../../src/operator/recover/recover.ts';
import { linux, pink, purple, stackSettings, worldWithActive } from '../fakes/builders.ts';
import { absorb } from '../fakes/checker.ts';
import { terminateHost } from '../fakes/hosts.ts';
import { submitJob } from '../fakes/jobs.ts';
import { putParameter, removeParameter } from '../fakes/parameters-fake.ts';
import { addPipeline } from '../fakes/pipelines-fake.ts';
import { addRegistration } from '../fakes/registry-fake.ts';
import type { Intercept } from '../fakes/seam.ts';
import { hostsOf, parametersOf, registrationsOf } from '../fakes/serving.ts';
import type { World } from '../fakes/world.ts';
import type { Command, Drive } from '../stages/drive.ts';
import { arrive, reach } from '../stages/reach.ts';

/** A world in which one guard is all that stands between a command and harm. */
export interface GuardRow {
  readonly guard: GuardName;
  readonly code: string;
  /** What would come of it without the guard. */
  readonly harm: string;
  readonly command: Command;
  build(): Promise<World>;
  readonly options?: Partial<Drive>;
  /** Kinds of effects that come before it, harmless by themselves. */
  readonly before?: readonly string[];
  /** What somebody does while the command runs. */
  meanwhile?(world: World): Intercept;
}

const hour = 3_600_000;
const stack = stackSettings();
const names = parametersOf(stack);

async function at(place: Parameters<typeof reach>[0], change: (world: World) => void) {
  const world = await reach(place);
  change(world);
  absorb(world);
  return world;
}

function candidateOf(world: World) {
  const [candidate] = registrationsOf(world, stack, purple);
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
}

function endHosts(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stack, shard)) terminateHost(world, host, 'world');
}

function setStatus(world: World, active: typeof pink): void {
  putParameter(world, { name: names.status, value: formatStatus(stack.shards, active) });
}

function writeRecord(world: World): void {
  const versions = world.parameters[names.record]?.versions;
  const newest = versions?.at(-1);
  if (newest !== undefined)
    versions?.push({ ...newest, version: newest.version + 1, value: `${newest.value} ` });
}

const elsewhere: StackSettings = { ...stack, aws: { ...stack.aws, account: '999900001111' } };

const { evidence } = stack.healthcheck;
const withoutHosts: StackSettings = {
  ...stack,
  host: { ...stack.host, access: 'none' },
  healthcheck: {
    ...stack.healthcheck,
    evidence: { ...evidence, instance: 'off', host: 'off', workload: 'off' },
  },
};

export const guardRows: readonly GuardRow[] = [
  {
    guard: 'account',
    code: 'WrongAccount',
    harm: 'where nothing is found a stack without a record is deployed anew, in the wrong account',
    command: 'prepare',
    build: async () => worldWithActive(pink, { stacks: [elsewhere] }),
  },
  {
    guard: 'lock',
    code: 'LockHeld',
    harm: 'two jobs of one stack work side by side',
    command: 'onboard',
    build: () => arrive('onboarded').then(withLivingLock),
    options: { jobId: 'another' },
  },
  {
    guard: 'hold',
    code: 'Held',
    harm: 'the shard that a person needs is drained under their hands',
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
    harm: 'a pipeline of yesterday builds and promotes what today’s has already left behind',
    command: 'provision',
    build: () =>
      at('onboarded', (world) =>
        addPipeline(world, { deploymentId: '1-150', createdAt: world.now - 24 * hour }),
      ),
    options: { deploymentId: '1-150' },
  },
  {
    guard: 'agreement',
    code: 'FactsContradict',
    harm: 'the shard that a person has just named active is destroyed',
    command: 'cleanup',
    build: () => at('drained', (world) => setStatus(world, pink)),
  },
  {
    guard: 'order',
    code: 'StageOutOfOrder',
    harm: 'a shard is deregistered and destroyed that nobody has drained by its stage',
    command: 'cleanup',
    build: () => at('promoted', () => undefined),
  },
  {
    guard: 'record',
    code: 'ForeignWrite',
    harm: 'an effect that another run or a person has decided against in the meantime',
    command: 'cleanup',
    build: () => at('destroying', () => undefined),
    meanwhile: (world) => {
      let written = false;
      return ({ port }) => {
        if (port === 'registry' && !written) writeRecord(world);
        written ||= port === 'registry';
        return undefined;
      };
    },
  },
  {
    guard: 'own_runner',
    code: 'RunsOnTheShardItTouches',
    harm: 'the drain waits for its own job for ever',
    command: 'shutdown',
    build: () => at('promoted', () => undefined),
    options: { ownRegistrationId: '48213', deadline: Date.parse('2026-11-02T20:00:00.000Z') },
  },
  {
    guard: 'permissions',
    code: 'PreflightFailed',
    harm: 'a deployment stops half way, with two shards alive, for want of a permission',
    command: 'prepare',
    build: async () =>
      worldWithActive(pink, { behaviour: { missingGrants: ['ec2:TerminateInstances'] } }),
  },
  {
    guard: 'onboarding',
    code: 'ForeignRegistration',
    harm: 'a runner that somebody made for themselves is taken over',
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
    harm: 'a shard that serves customers is put into quarantine and built anew',
    command: 'provision',
    build: () =>
      at('onboarded', (world) =>
        Object.assign(candidateOf(world), { tags: ['linux'], contacted: true }),
      ),
  },
  {
    guard: 'evidence',
    code: 'HealthcheckTimedOut',
    harm: 'a candidate whose host has died since it was proven becomes active',
    command: 'promote',
    build: () =>
      at('healthy', (world) => {
        endHosts(world, purple);
        world.now += hour;
      }),
  },
  {
    guard: 'status',
    code: 'ForeignWrite',
    harm: 'what somebody has just done to the status is overwritten',
    command: 'promote',
    build: () => at('healthy', () => undefined),
    before: ['registration_routed'],
    meanwhile: (world) => {
      let looks = 0;
      // Between the last guard's look at it and the switch: somebody deletes it.
      return ({ port, args }) => {
        if (port === 'registry') looks = 0;
        if (port !== 'parameters' || args[0] !== names.status) return undefined;
        looks += 1;
        if (looks === 2 && candidateOf(world).tags.includes('linux')) {
          removeParameter(world, names.status);
          absorb(world);
        }
        return undefined;
      };
    },
  },
  {
    guard: 'active_shard',
    code: 'NothingServes',
    harm: 'the last shard that serves is told to stop',
    command: 'shutdown',
    build: () => at('promoted', (world) => endHosts(world, purple)),
  },
  {
    guard: 'drained',
    code: 'StillDraining',
    harm: 'the host of a running job is stopped and destroyed',
    command: 'finalize',
    // Without a word of the hosts nothing else would notice.
    build: () => reach('draining', { stack: withoutHosts }),
    options: { deadline: Date.parse('2026-11-02T08:40:00.000Z') },
  },
  {
    guard: 'never_served',
    code: 'CleanupRefused',
    harm: 'a candidate that runs somebody’s job is destroyed',
    command: 'cleanup',
    build: () =>
      at('applied', (world) => {
        candidateOf(world).tags.push('special');
        submitJob(world, { name: 'by hand', tags: ['special'], durationMs: 2 * hour });
      }),
  },
  {
    guard: 'rung',
    code: 'CannotRecover',
    harm: 'the retiring shard’s successor is taken away while it takes customers’ jobs',
    command: 'recover terminate',
    build: () => at('promoted', (world) => endPipeline(world)),
    options: { ci: 'terminal', deploymentId: 'terminal-1' },
  },
  {
    guard: 'consent',
    code: 'NotConfirmed',
    harm: 'an instance is terminated that nobody has looked at',
    command: 'recover terminate',
    build: () => at('applied', (world) => endPipeline(world)),
    options: {
      ci: 'terminal',
      deploymentId: 'terminal-1',
      act: (context) =>
        recover(context, { method: 'terminate', consent: consentOf(false, undefined) }),
    },
  },
];

function endPipeline(world: World): void {
  for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'finished';
}

function withLivingLock(world: World): World {
  const since = new Date(world.now).toISOString();
  const value = { deployment: '1-200', job: 'job 9', since, process: 'elsewhere', nonce: 'n' };
  putParameter(world, { name: names.lock, value: JSON.stringify(value) });
  const pipeline = world.pipelines['1-200'];
  if (pipeline !== undefined) pipeline.jobs = { ...pipeline.jobs, 'job 9': 'running' };
  absorb(world);
  return world;
}
