import { shardDescription } from '../../src/domain/shard.ts';
import { addShard, pink, purple } from '../fakes/builders.ts';
import { createHost, terminateHost } from '../fakes/hosts/hosts.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { cancelJob, submitJob } from '../fakes/world/jobs.ts';
import { hostsOf, parametersOf, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../operator/doctor/examine.ts';
import { drive } from '../stages/drive.ts';
import { killAt, ownId, reach, writes } from '../stages/reach.ts';
import type { ExaminedStack } from './broken-stack.ts';
import { at, endPipelines, rested } from './state.ts';

function terminate(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) terminateHost(world, host, 'world');
}

/** Stacks with a retirement, a Terraform state, a clock, or a change at the console. */
export const lateStacks: readonly ExaminedStack[] = [
  {
    name: 'the old shard half destroyed',
    build: () =>
      at('destroying', (world) => {
        const state = world.infrastructure['pink-linux'];
        if (state !== undefined) state.resources = state.resources.slice(0, 4);
      }),
    diagnosis: 'retirement_unfinished',
    ends: 'healthy',
  },
  {
    name: 'the old shard half destroyed, with a remaining disk',
    build: () =>
      at('destroying', (world) => {
        delete world.infrastructure['pink-linux'];
        terminate(world, pink);
        const { runnerName } = stackOf(world);
        world.tagged.push({
          runnerName,
          shard: pink,
          resource: { kind: 'volume', id: 'vol-0left' },
        });
      }),
    diagnosis: 'retirement_unfinished',
    ends: 'healthy',
    byHand: (world) => {
      world.tagged = [];
    },
  },
  {
    name: 'the candidate half built',
    build: () => at('applying', () => {}),
    diagnosis: 'provision_unfinished',
    ends: 'healthy',
  },
  {
    name: 'the Terraform state of the candidate lost, with living resources',
    build: () =>
      at('healthy', (world) => {
        delete world.infrastructure['purple-linux'];
        for (const host of hostsOf(world, stackOf(world), purple)) host.managed = false;
      }),
    diagnosis: 'state_lost',
    ends: 'healthy',
  },
  {
    name: 'the Terraform state of the active shard lost, with living resources',
    build: () =>
      rested((world) => {
        delete world.infrastructure['purple-linux'];
        for (const host of hostsOf(world, stackOf(world), purple)) host.managed = false;
      }),
    diagnosis: 'active_irregular',
    ends: 'healthy',
  },
  {
    name: 'the resources of the candidate gone, with a Terraform state',
    build: () =>
      at('applied', (world) => {
        terminate(world, purple);
      }),
    diagnosis: 'resources_gone',
    ends: 'healthy',
  },
  {
    name: 'a manager started by hand on the inactive shard',
    build: () => rested((world) => void addShard(world, { shard: pink, note: 'by hand' })),
    diagnosis: 'both_serve',
    ends: 'healthy',
  },
  {
    name: 'a manager started by hand on the inactive shard after the active one died',
    build: () =>
      rested((world) => {
        addShard(world, { shard: pink, note: 'by hand' });
        terminate(world, purple);
      }),
    diagnosis: 'inactive_serves',
    ends: 'healthy',
  },
  {
    name: 'leftovers of the inactive shard, which accepts no jobs',
    build: () =>
      rested((world) => void addShard(world, { shard: pink, paused: true, contacted: false })),
    diagnosis: 'inactive_left',
    ends: 'healthy',
  },
  {
    name: 'two instances of one name on the candidate',
    build: async () => {
      const world = await at('healthy', () => {});
      createHost(world, { runnerName: stackOf(world).runnerName, shard: purple }, false);
      await createSimulation({ world }).advance(120_000);
      return world;
    },
    diagnosis: 'two_instances',
    ends: 'healthy',
  },
  {
    name: 'two instances of one name on the active shard',
    build: async () => {
      const world = await rested();
      createHost(world, { runnerName: stackOf(world).runnerName, shard: purple }, false);
      await createSimulation({ world }).advance(120_000);
      return world;
    },
    diagnosis: 'active_irregular',
    ends: 'healthy',
  },
  {
    name: 'a drain that never ends',
    build: () => at('draining', () => {}),
    diagnosis: 'drain_waits',
    ends: 'healthy',
    byHand: (world) => {
      for (const job of Object.values(world.jobs))
        if (job.name === 'long build') cancelJob(world, job);
    },
  },
  {
    name: 'a drain that lost its signal',
    build: () => at('drained', reviveOld),
    diagnosis: 'drain_unheard',
    ends: 'healthy',
  },
  {
    name: 'a drain that was held before its signal was sent',
    build: async () => {
      const world = await reach('promoted');
      const simulation = createSimulation({ world, intercept: killAt(writes('drained')) });
      await drive(simulation, 'shutdown', { deploymentId: ownId, jobId: 'shutdown' });
      removeParameter(world, parametersOf(stackOf(world)).lock);
      endPipelines(world);
      await createSimulation({ world }).advance(60_000);
      return world;
    },
    diagnosis: 'retirement_unfinished',
    ends: 'healthy',
  },
  {
    name: 'a drain that was cut off while idle',
    build: () => at('draining, idle', () => {}),
    diagnosis: 'retirement_unfinished',
    ends: 'healthy',
  },
  {
    name: "the candidate's clock off by an hour",
    build: () =>
      at('applied', (world) => {
        for (const host of hostsOf(world, stackOf(world), purple)) host.clockOffMs = 3_600_000;
      }),
    diagnosis: 'provision_unfinished',
    ends: 'healthy',
    byHand: (world) => {
      for (const host of Object.values(world.hosts)) delete host.clockOffMs;
    },
  },
  {
    name: 'the local clock off by an hour',
    build: () =>
      at('applied', (world) => {
        world.skewMs = 3_600_000;
      }),
    diagnosis: 'provision_unfinished',
    ends: 'healthy',
    byHand: (world) => {
      world.skewMs = 0;
    },
  },
  {
    name: 'the candidate unpaused and tagged by hand in the console',
    build: () =>
      at('applied', (world) => {
        for (const one of registrationsOf(world, stackOf(world), purple)) one.tags = ['linux'];
      }),
    diagnosis: 'candidate_serves',
    ends: 'healthy',
  },
  {
    name: 'a retreat that was cut off',
    build: () => at('retreating', () => {}),
    diagnosis: 'retreat_unfinished',
    ends: 'healthy',
  },
  {
    name: 'a customer job on a paused active shard',
    build: async () => {
      const world = await rested();
      submitJob(world, { name: 'build', tags: ['linux'], durationMs: 600_000 });
      await createSimulation({ world }).advance(30_000);
      for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = true;
      return world;
    },
    diagnosis: 'nothing_serves',
    ends: 'healthy',
  },
  {
    name: 'a deployment whose pipeline runs',
    build: () =>
      at('promoted', (world) => {
        const pipeline = world.pipelines['1-200'];
        if (pipeline !== undefined) pipeline.state = 'running';
      }),
    diagnosis: 'deployment_running',
    byHand: endPipelines,
    ends: 'healthy',
  },
];

/** Restores the process of a host whose quit order never arrived. */
function reviveOld(world: World): void {
  const { runnerName } = stackOf(world);
  const name = `${shardDescription({ runnerName, shard: pink })}_runner-manager`;
  for (const host of Object.values(world.hosts)) {
    if (host.name !== name || host.state !== 'running') continue;
    host.process = 'running';
    host.restarts = true;
  }
}
