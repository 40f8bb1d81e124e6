import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { TaggedKind } from '../../src/domain/plan/aws-resource.ts';
import type { RunnerName } from '../../src/domain/shard.ts';
import { addShard, emptyWorld, pink, purple, stackSettings } from '../fakes/builders.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { parametersOf, parameterValue, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../operator/doctor/examine.ts';
import { reach } from '../stages/reach.ts';
import type { ExaminedStack } from './broken-stack.ts';

/** Reaches a finished deployment: purple is active, and pink is removed. */
export const rested = (change: (world: World) => void = () => {}) => at('done', change);

export async function at(
  place: Parameters<typeof reach>[0],
  change: (world: World) => void,
): Promise<World> {
  const world = await reach(place);
  endPipelines(world);
  change(world);
  absorb(world);
  // AWS blocks a deleted name for 30 s.
  await createSimulation({ world }).advance(60_000);
  return world;
}

export function endPipelines(world: World): void {
  for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'finished';
}

function put(world: World, name: 'status' | 'record' | 'lock' | 'hold', value: string): void {
  putParameter(world, { name: parametersOf(stackOf(world))[name], value });
}

function lockOf(world: World, job: string): string {
  const since = new Date(world.now).toISOString();
  return JSON.stringify({ deployment: '1-200', job, since, process: 'elsewhere', nonce: 'n' });
}

/** Stacks with a broken status, record, hold or lock. */
export const stateStacks: readonly ExaminedStack[] = [
  {
    name: 'nothing is wrong',
    build: () => rested(),
    diagnosis: 'healthy',
    ends: 'healthy',
  },
  {
    name: 'the status swapped by hand at rest',
    build: () => rested((world) => put(world, 'status', formatStatus(stackOf(world).shards, pink))),
    diagnosis: 'status_edited',
    ends: 'healthy',
  },
  {
    name: 'the status swapped by hand to a healthy candidate',
    build: () =>
      at('healthy', (world) => put(world, 'status', formatStatus(stackOf(world).shards, purple))),
    diagnosis: 'status_edited',
    ends: 'healthy',
  },
  {
    name: 'a status that names no shard of the stack',
    build: () =>
      rested((world) => {
        const { status } = parametersOf(stackOf(world));
        delete world.parameters[status]?.allowedPattern;
        put(world, 'status', '{"active_shard":"blue","inactive_shard":"green"}');
      }),
    diagnosis: 'status_illegible',
    ends: 'healthy',
  },
  {
    name: 'the status lost',
    build: () => rested((world) => removeParameter(world, parametersOf(stackOf(world)).status)),
    diagnosis: 'status_lost',
    ends: 'healthy',
  },
  {
    name: 'the record lost at rest',
    build: () => rested((world) => removeParameter(world, parametersOf(stackOf(world)).record)),
    diagnosis: 'record_lost',
    ends: 'healthy',
  },
  {
    name: 'the record lost while both shards accept jobs',
    build: () =>
      at('promoted', (world) => removeParameter(world, parametersOf(stackOf(world)).record)),
    diagnosis: 'record_lost',
    ends: 'healthy',
  },
  {
    name: 'the record and the status lost',
    build: () =>
      rested((world) => {
        removeParameter(world, parametersOf(stackOf(world)).record);
        removeParameter(world, parametersOf(stackOf(world)).status);
      }),
    diagnosis: 'nothing_known',
    ends: 'healthy',
  },
  {
    name: 'a record of a newer schema version',
    build: () =>
      rested((world) => {
        const { record } = parametersOf(stackOf(world));
        const value = JSON.parse(parameterValue(world, record) ?? '{}') as Record<string, unknown>;
        put(world, 'record', JSON.stringify({ ...value, schema: 99 }));
      }),
    diagnosis: 'record_newer',
    ends: 'person',
  },
  {
    name: 'a record that was cut by hand',
    build: () => rested((world) => put(world, 'record', '{"schema":1,"deployment":{')),
    diagnosis: 'record_illegible',
    ends: 'person',
  },
  {
    name: 'the lock of a dead job',
    build: () => rested((world) => put(world, 'lock', lockOf(world, 'provision'))),
    diagnosis: 'lock_stale',
    ends: 'healthy',
  },
  {
    name: 'a security group of a removed shard',
    build: () => rested((world) => leave(world, 'security_group', 'sg-0left')),
    diagnosis: 'leftovers',
    ends: 'healthy',
  },
  {
    name: 'a volume of a removed shard',
    build: () => rested((world) => leave(world, 'volume', 'vol-0left')),
    diagnosis: 'leftovers',
    ends: 'person',
  },
  {
    name: 'the lock of a run that no source reports',
    build: () =>
      rested((world) => {
        const since = new Date(world.now).toISOString();
        const owner = { deployment: 'terminal-9', job: 'terminal-9', since, nonce: 'n' };
        put(world, 'lock', JSON.stringify({ ...owner, process: 'elsewhere' }));
      }),
    diagnosis: 'lock_unproven',
    ends: 'healthy',
    byHand: () => {},
  },
  {
    name: 'the lock of a living job',
    build: () =>
      at('healthy', (world) => {
        put(world, 'lock', lockOf(world, 'provision'));
        const pipeline = world.pipelines['1-200'];
        if (pipeline !== undefined) pipeline.jobs['provision'] = 'running';
      }),
    diagnosis: 'lock_alive',
    ends: 'healthy',
    byHand: (world) => {
      const pipeline = world.pipelines['1-200'];
      if (pipeline !== undefined) pipeline.jobs['provision'] = 'finished';
      removeParameter(world, parametersOf(stackOf(world)).lock);
    },
  },
  {
    name: 'the deployment is held',
    build: () =>
      at('applied', (world) =>
        put(world, 'hold', '{"who":"kim","why":"an incident","since":"2026-11-02T08:00:00.000Z"}'),
      ),
    diagnosis: 'held',
    ends: 'healthy',
  },
  {
    name: "the CI's job runs on the shard that it would destroy",
    build: () => at('promoted', () => {}),
    diagnosis: 'runs_on_itself',
    ends: 'healthy',
    byHand: () => {},
    surroundings: (world) => ({
      ownRegistrationId: registrationsOf(world, stackOf(world), pink)[0]?.id ?? '',
    }),
  },
  {
    name: "a second stack whose name begins with this one's",
    build: async () => {
      const world = await rested();
      const other = stackSettings({ runnerName: 'linux-arm' as RunnerName });
      world.stacks.push(other);
      for (const shard of [pink, purple]) addShard(world, { shard, stack: other });
      putParameter(world, {
        name: parametersOf(other).status,
        value: formatStatus(other.shards, pink),
      });
      world.stacks.pop();
      absorb(world);
      return world;
    },
    diagnosis: 'healthy',
    ends: 'healthy',
  },
  {
    name: 'a stack without any deployment',
    build: async () => emptyWorld(),
    diagnosis: 'never_deployed',
    ends: 'healthy',
  },
];

/** Adds a resource of the inactive shard that an old destroy left. */
function leave(world: World, kind: TaggedKind, id: string): void {
  const { runnerName } = stackOf(world);
  world.tagged.push({ runnerName, shard: pink, resource: { kind, id } });
}
