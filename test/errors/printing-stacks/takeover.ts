import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { rolledBack } from '../../broken-stacks/guarded/guarded-stack.ts';
import { at, endPipelines, rested } from '../../broken-stacks/state.ts';
import { addShard, linux, pink, purple } from '../../fakes/builders.ts';
import { contactGitLab, terminateHost } from '../../fakes/hosts/hosts.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { isCall, killAt } from '../../stages/reach.ts';
import { on, type PrintingStack } from './printing.ts';

function name(world: World, shard: typeof pink): void {
  const { status } = parametersOf(stackOf(world));
  putParameter(world, { name: status, value: formatStatus(stackOf(world).shards, shard) });
}

/** Makes this runner the one of the machine. */
function attend(world: World, id: string): void {
  const token = world.registrations[id]?.token ?? '';
  putParameter(world, {
    name: parametersOf(stackOf(world)).token(pink),
    value: token,
    secret: true,
  });
  for (const host of hostsOf(world, stackOf(world), pink)) {
    host.token = token;
    contactGitLab(world, host);
  }
}

/** Reaches a begun activation of the first of two runners of a shard. */
async function begunWithAnother(isPromoted: boolean): Promise<World> {
  const world = await rested((one) => {
    const { registration } = addShard(one, { shard: pink, tags: [] });
    const { id } = addRegistration(one, {
      shard: { runnerName: linux, shard: pink },
      settings: stackOf(one).registration,
      tags: ['foo'],
      note: '',
    });
    // The same machine was a manager of this runner earlier.
    const managers = structuredClone(registration.managers);
    Object.assign(one.registrations[id] ?? {}, { description: 'the second', managers });
  });
  const cut = isPromoted ? {} : { intercept: killAt(isCall('registry', 'route')) };
  await type(world, `${on('activate')} --shard pink`, cut);
  endPipelines(world);
  return world;
}

/** Stacks for rollbacks, and for ids that an operator enters. */
export const takeoverStacks: readonly PrintingStack[] = [
  {
    code: 'FactsContradict',
    where: 'since a person has turned the status around',
    build: () => at('promoted', (world) => name(world, pink)),
    typed: on('shutdown'),
    leads: {
      [`${on('activate')} --shard pink`]: 'done, promoted',
      [on('status')]: 'done, promoted',
    },
  },
  {
    code: 'NothingToRollBack',
    where: 'before the switch',
    build: () => at('applied', () => {}),
    typed: on('rollback'),
    leads: {
      [on('recover --method auto --yes')]: 'done, promoted',
      [on('status')]: 'done, applied',
    },
  },
  {
    code: 'NothingToRollBack',
    where: 'of a deployment that is done',
    build: () => rested(),
    typed: on('rollback'),
    leads: { [on('deploy')]: 'done, done', [on('status')]: 'done, done' },
  },
  {
    code: 'NothingToRollBack',
    where: 'while the old shard is removed',
    build: () => at('destroying', () => {}),
    typed: on('rollback'),
    leads: {
      [on('finalize')]: 'done, done',
      [on('deploy')]: 'done, done',
      [on('status')]: 'done, destroying',
    },
  },
  {
    code: 'TakenBackBefore',
    build: rolledBack,
    typed: on('deploy'),
    leads: { [`${on('deploy')} --again REASON`]: 'done, done' },
  },
  {
    code: 'StartUnproven',
    build: () =>
      at('drained', (world) => {
        for (const host of Object.values(world.hosts))
          if (host.shard === 'pink')
            host.startFault = 'the runner could not be started: "no image"';
      }),
    typed: on('rollback'),
    before: (world, command) => {
      if (command.includes('provision')) return;
      for (const host of Object.values(world.hosts)) delete host.startFault;
    },
    leads: {
      [`${on('doctor')} --logs`]: 'done, promoting',
      [on('rollback')]: 'done, promoted',
      [on('provision')]: '1 Retreated, prepared',
    },
  },
  {
    code: 'CannotActivate',
    build: () =>
      at('promoted', (world) => {
        for (const host of hostsOf(world, stackOf(world), pink))
          terminateHost(world, host, 'world');
      }),
    typed: `${on('activate')} --shard pink`,
    leads: {
      [on('finalize')]: 'done, done',
      [on('deploy')]: 'done, done',
      [on('status')]: 'done, promoted',
    },
  },
  {
    code: 'CannotActivate',
    where: 'since the promoted shard has no machine any more',
    build: () =>
      at('promoted', (world) => {
        for (const host of hostsOf(world, stackOf(world), purple))
          terminateHost(world, host, 'world');
      }),
    typed: `${on('activate')} --shard purple`,
    leads: { [on('rollback')]: 'done, promoted', [on('status')]: 'done, promoted' },
  },
  {
    code: 'CannotActivate',
    where: 'since what was gone back to has no machine any more',
    build: async () => {
      const world = await at('promoted', () => {});
      await type(world, on('rollback'));
      for (const host of hostsOf(world, stackOf(world), pink)) terminateHost(world, host, 'world');
      return world;
    },
    typed: `${on('activate')} --shard pink`,
    leads: {
      [`${on('activate')} --shard purple`]: 'done, promoted',
      [on('status')]: 'done, promoted',
    },
  },
  {
    code: 'NoSuchRegistration',
    where: 'of two',
    build: () =>
      rested((world) => {
        addShard(world, { shard: pink, tags: [] });
        addRegistration(world, {
          shard: { runnerName: linux, shard: pink },
          settings: stackOf(world).registration,
          tags: [],
          note: 'somebody’s',
        });
      }),
    typed: `${on('activate')} --shard pink`,
    before: (world, command) => {
      const [, id = ''] = /--registration (\d+)/.exec(command) ?? [];
      if (id !== '') return attend(world, id);
      const [, ...others] = registrationsOf(world, stackOf(world), pink);
      for (const one of others) (one as { description: string }).description = 'another';
    },
    leads: {
      [`${on('activate')} --shard pink --registration 48215`]: 'done, promoted',
      [`${on('activate')} --shard pink --registration 48216`]: 'done, promoted',
      [`${on('activate')} --shard pink`]: 'done, promoted',
    },
  },
  {
    code: 'RegistrationOfAnotherShard',
    build: () => rested((world) => void addShard(world, { shard: pink, tags: [] })),
    typed: `${on('activate')} --shard pink --registration 48214`,
    leads: {
      [on('status')]: 'done, done',
      [`${on('activate')} --shard pink`]: 'done, promoted',
    },
  },
  {
    code: 'RegistrationOfAnotherShard',
    where: 'while the activation has another one',
    build: () => begunWithAnother(false),
    typed: `${on('activate')} --shard pink --registration 48216`,
    leads: {
      [on('status')]: 'done, promoting',
      [`${on('activate')} --shard pink`]: 'done, promoted',
    },
  },
  {
    code: 'RegistrationOfAnotherShard',
    where: 'after the activation with another one',
    build: () => begunWithAnother(true),
    typed: `${on('activate')} --shard pink --registration 48216`,
    leads: { [on('status')]: 'done, promoted', [on('finalize')]: 'done, done' },
  },
  {
    code: 'RegistrationOfAnotherShard',
    where: 'of which nothing says whose it is',
    build: () =>
      rested((world) => {
        const { registration, hosts } = addShard(world, { shard: pink, tags: ['foo'], note: '' });
        registration.description = 'my runner';
        for (const host of hosts) host.agent = 'lost';
      }),
    typed: `${on('activate')} --shard pink --registration 48215`,
    before: (world, command) => {
      if (!command.includes('activate')) return;
      (world.registrations['48215'] as { description: string }).description = 'pink-linux';
      for (const host of hostsOf(world, stackOf(world), pink)) host.agent = 'online';
    },
    leads: {
      [on('status')]: 'done, done',
      [`${on('activate')} --shard pink`]: 'done, promoted',
    },
  },
];
