import type { StackSettings } from '../../../src/domain/settings.ts';
import { at, endPipelines, rested } from '../../broken-stacks/state.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import {
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf } from '../../operator/doctor/examine.ts';
import { reach } from '../../stages/reach.ts';
import { on, type PrintingStack } from './printing.ts';

const minute = 60_000;
/** Behaviour with an old GitLab without an execution status, and a token that sees no jobs. */
const unsaying = { gitlab: '17.5', graphQl: 'refused', jobsVisible: false } as const;
const settings = stackSettings();

const { healthcheck } = settings;
/** Settings without host access. The newest work is young enough for a long wait. */
const withoutHosts: StackSettings = {
  ...settings,
  host: { ...settings.host, access: 'none' },
  healthcheck: {
    ...healthcheck,
    evidenceMaxAgeMs: 120 * minute,
    evidence: { ...healthcheck.evidence, instance: 'off', host: 'off', workload: 'off' },
  },
};

/** Reaches a drain with pink paused and running a job of two hours. */
async function draining(change: (world: World) => void = () => {}): Promise<World> {
  const world = await reach('draining');
  endPipelines(world);
  change(world);
  return world;
}

const pinkHosts = (world: World) => hostsOf(world, stackOf(world), pink);

/** Stacks with a drain of the old shard, from its pause to the removal of its last part. */
export const drainStacks: readonly PrintingStack[] = [
  {
    code: 'StillDraining',
    build: () => draining(),
    typed: on('shutdown'),
    surroundings: (world) => ({ drive: { deadline: world.now + 10 * minute } }),
    leads: { [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'DrainTimedOut',
    build: () =>
      draining((world) => {
        world.stacks[0] = { ...settings, drain: { ...settings.drain, timeoutMs: 10 * minute } };
      }),
    typed: on('shutdown'),
    before: (world, command) => {
      world.behaviour.killAllowed = command.includes('force_after');
    },
    leads: {
      [`${on('shutdown')} --set drain.timeout=none`]: 'done, drained',
      [`${on('shutdown')} --set drain.force_after=30s`]: 'done, drained',
    },
  },
  {
    code: 'DrainBlind',
    where: 'since the registration is gone',
    build: () =>
      draining((world) => {
        for (const host of pinkHosts(world)) host.unregistered = true;
        for (const { id } of registrationsOf(world, stackOf(world), pink))
          delete world.registrations[id];
      }),
    typed: on('shutdown'),
    before: async (world) => createSimulation({ world }).advance(3 * 60 * minute),
    leads: {
      [on('doctor')]: 'done, draining',
      [`${on('recover')} --method terminate --instance i-0abc0000000000001 --yes`]: 'done, done',
      [on('shutdown')]: 'nothing, done',
    },
  },
  {
    code: 'DrainBlind',
    where: 'since nobody says whether a job runs',
    build: () =>
      at('draining, idle', (world) => {
        Object.assign(world.behaviour, unsaying);
        for (const host of pinkHosts(world)) host.agent = 'lost';
      }),
    typed: on('shutdown'),
    leads: {
      [on('doctor')]: 'done, draining',
      [`${on('recover')} --method terminate --instance i-0abc0000000000001 --yes`]: 'done, done',
      [on('shutdown')]: 'nothing, done',
    },
  },
  {
    code: 'DrainBlind',
    where: 'since no host may be asked',
    build: () =>
      at('draining, idle', (world) => {
        Object.assign(world.behaviour, unsaying);
        world.stacks[0] = withoutHosts;
      }),
    typed: on('shutdown'),
    before: (world, command) => {
      if (!command.includes('--set')) world.behaviour.jobsVisible = true;
    },
    leads: {
      [`${on('shutdown')} --set host.access=run_command`]: 'done, drained',
      [on('shutdown')]: 'done, drained',
    },
  },
  {
    code: 'DrainJobTooShort',
    build: async () => {
      const world = await at('draining, idle', () => {});
      world.stacks[0] = withoutHosts;
      world.behaviour.jobsVisible = false;
      return world;
    },
    typed: on('shutdown'),
    surroundings: (world) => ({
      drive: { deadline: world.now + 30 * minute, timeLimitMs: 30 * minute },
    }),
    leads: { [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'StopUnproven',
    build: () => at('draining, idle', () => {}),
    typed: on('shutdown'),
    // The process stays after every stop order.
    surroundings: (world) => ({
      intercept: ({ port }) => {
        if (port === 'host')
          for (const host of pinkHosts(world)) Object.assign(host, { process: 'quitting' });
        return undefined;
      },
    }),
    before: (world) => {
      for (const host of pinkHosts(world)) host.process = 'stopped';
    },
    leads: { [on('shutdown')]: 'done, drained' },
  },
  {
    code: 'LeftoversRemain',
    build: () =>
      at('drained', (world) => {
        const { runnerName } = stackOf(world);
        world.tagged.push({ runnerName, shard: pink, resource: { kind: 'volume', id: 'vol-0a' } });
      }),
    typed: on('cleanup'),
    before: (world) => {
      world.tagged = [];
    },
    leads: { [on('cleanup')]: 'done, done' },
  },
  {
    code: 'SharedRegistration',
    build: () =>
      rested((world) => {
        const { record } = parametersOf(stackOf(world));
        const value = JSON.parse(parameterValue(world, record) ?? '{}');
        value.shards.pink = { ...value.shards.purple };
        putParameter(world, { name: record, value: JSON.stringify(value) });
      }),
    typed: on('prepare'),
    leads: { [on('status')]: 'done, done' },
  },
];
