import { addShard, pink, purple, worldWithActive } from '../fakes/builders.ts';
import type { BootBehaviour } from '../fakes/hosts/behaviour.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, parametersOf, parameterValue, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../operator/doctor/examine.ts';
import { hang } from '../scenarios/service/promoted.ts';
import { type Command, drive } from '../stages/drive.ts';
import type { ExaminedStack } from './broken-stack.ts';
import { at, endPipelines, rested } from './state.ts';

/** Reaches a candidate with a bad boot that its own pipeline found unhealthy `times` times. */
async function unhealthy(times: number, boot: BootBehaviour): Promise<World> {
  const world = worldWithActive(pink, { behaviour: { boots: { 'purple-linux': [boot] } } });
  const simulation = createSimulation({ world });
  const stages: Command[] = ['prepare', 'onboard', ...Array<Command>(times).fill('provision')];
  for (const [index, stage] of stages.entries())
    await drive(simulation, stage, { deploymentId: '1-200', jobId: `${stage} ${index}` });
  endPipelines(world);
  return world;
}

function terminate(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) terminateHost(world, host, 'world');
}

function strike(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) {
    host.agent = 'lost';
    host.process = 'stopped';
    host.polls = false;
  }
}

function deleteRegistrations(world: World, shard: typeof pink): void {
  for (const { id } of registrationsOf(world, stackOf(world), shard))
    delete world.registrations[id];
}

/** Records two drains that reopened the shard because its successor was lost. */
function openedTwice(world: World): void {
  const name = parametersOf(stackOf(world)).record;
  const record = JSON.parse(parameterValue(world, name) ?? '{}');
  record.deployment.reopened = { times: 2, at: record.deployment.phase_at, why: 'purple hung' };
  putParameter(world, { name, value: JSON.stringify(record) });
}

const unbooted = (name: string, times: number, boot: BootBehaviour): ExaminedStack => ({
  name,
  build: () => unhealthy(times, boot),
  diagnosis: boot === 'agent_lost' ? 'instance_silent' : 'candidate_unhealthy',
  ends: 'healthy',
});

/** Stacks with broken shards, machines or runners, or changes by operators. */
export const shardStacks: readonly ExaminedStack[] = [
  unbooted('candidate unhealthy once', 1, 'fails_jobs'),
  unbooted('candidate unhealthy twice', 2, 'fails_jobs'),
  unbooted('candidate unhealthy three times', 3, 'fails_jobs'),
  unbooted('apply with no changes, and the candidate never contacts GitLab', 2, 'never_contacts'),
  unbooted('the agent of the candidate does not respond from the beginning', 1, 'agent_lost'),
  {
    name: 'both shards accept jobs at rest',
    build: () => rested((world) => void addShard(world, { shard: pink })),
    diagnosis: 'both_serve',
    ends: 'healthy',
  },
  {
    name: 'no shard accepts jobs: the active shard was paused by hand',
    build: () =>
      rested((world) => {
        for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
      }),
    diagnosis: 'nothing_serves',
    ends: 'healthy',
  },
  {
    name: 'no shard accepts jobs: the instance of the active shard was terminated by hand',
    build: () => rested((world) => terminate(world, purple)),
    diagnosis: 'nothing_serves',
    ends: 'healthy',
  },
  {
    name: 'no shard accepts jobs: the new shard dies right after the promotion',
    build: () =>
      at('promoted', (world) => {
        terminate(world, purple);
      }),
    diagnosis: 'rollback_possible',
    ends: 'healthy',
  },
  {
    name: 'the new shard hangs right after the promotion',
    build: () => at('promoted', (world) => hang(world, purple)),
    diagnosis: 'rollback_possible',
    ends: 'healthy',
  },
  {
    name: 'the new shard paused by hand right after the promotion',
    build: () =>
      at('promoted', (world) => {
        for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
      }),
    diagnosis: 'promoted_closed',
    ends: 'healthy',
  },
  {
    name: 'the new shard failed repeatedly, and the old one was reopened twice',
    build: () => at('promoted', openedTwice),
    diagnosis: 'opened_twice',
    ends: 'healthy',
  },
  {
    name: 'the instance of the candidate terminated by hand',
    build: () => at('healthy', (world) => terminate(world, purple)),
    diagnosis: 'resources_gone',
    ends: 'healthy',
  },
  {
    name: 'the instance of the candidate hangs, without its agent',
    build: async () => {
      const world = await unhealthy(1, 'never_contacts');
      strike(world, purple);
      return world;
    },
    diagnosis: 'instance_silent',
    ends: 'healthy',
  },
  {
    name: 'the runner of the candidate deleted by a customer',
    build: () => at('healthy', (world) => deleteRegistrations(world, purple)),
    diagnosis: 'registration_gone',
    ends: 'healthy',
  },
  {
    name: 'the runner of the active shard deleted by a customer',
    build: () => rested((world) => deleteRegistrations(world, purple)),
    diagnosis: 'nothing_serves',
    ends: 'healthy',
  },
  {
    name: 'the token of the candidate revoked',
    build: async () => {
      const world = await at('onboarded', () => {});
      for (const one of registrationsOf(world, stackOf(world), purple)) one.token = 'glrt-revoked';
      const simulation = createSimulation({ world });
      await drive(simulation, 'provision', { deploymentId: '1-200', jobId: 'provision 9' });
      endPipelines(world);
      return world;
    },
    diagnosis: 'candidate_unhealthy',
    ends: 'healthy',
  },
  {
    name: 'the token of the candidate lost before its first manager',
    build: () =>
      at('onboarded', (world) =>
        removeParameter(world, parametersOf(stackOf(world)).token(purple)),
      ),
    diagnosis: 'provision_unfinished',
    ends: 'healthy',
  },
  {
    name: 'the token of the active shard lost',
    build: () =>
      rested((world) => removeParameter(world, parametersOf(stackOf(world)).token(purple))),
    diagnosis: 'active_irregular',
    ends: 'healthy',
  },
];
