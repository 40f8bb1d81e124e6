import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { type pink, purple, stackSettings } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';

export const hour = 3_600_000;
export const stack = stackSettings();
export const names = parametersOf(stack);

export async function at(place: Parameters<typeof reach>[0], change: (world: World) => void) {
  const world = await reach(place);
  change(world);
  absorb(world);
  return world;
}

/** Reaches a stack after an operator's rollback, with the candidate removed. */
export async function rolledBack(): Promise<World> {
  const world = await reach('draining');
  const simulation = createSimulation({ world });
  for (const [index, command] of (['rollback', 'finalize'] as const).entries())
    await drive(simulation, command, { deploymentId: '1-200', jobId: `back ${index}` });
  await simulation.advance(60_000);
  return world;
}

export function candidateOf(world: World) {
  const [candidate] = registrationsOf(world, stack, purple);
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
}

export function endHosts(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stack, shard)) terminateHost(world, host, 'world');
}

export function setStatus(world: World, active: typeof pink): void {
  putParameter(world, { name: names.status, value: formatStatus(stack.shards, active) });
}

export function writeRecord(world: World): void {
  const versions = world.parameters[names.record]?.versions;
  const newest = versions?.at(-1);
  if (newest !== undefined)
    versions?.push({ ...newest, version: newest.version + 1, value: `${newest.value} ` });
}

export const elsewhere: StackSettings = {
  ...stack,
  aws: { ...stack.aws, account: '999900001111' },
};

const { evidence } = stack.healthcheck;
export const withoutHosts: StackSettings = {
  ...stack,
  host: { ...stack.host, access: 'none' },
  healthcheck: {
    ...stack.healthcheck,
    evidence: { ...evidence, instance: 'off', host: 'off', workload: 'off' },
  },
};

export function endPipeline(world: World): void {
  for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'finished';
}

export function withLivingLock(world: World): World {
  const since = new Date(world.now).toISOString();
  const value = { deployment: '1-200', job: 'job 9', since, process: 'elsewhere', nonce: 'n' };
  putParameter(world, { name: names.lock, value: JSON.stringify(value) });
  const pipeline = world.pipelines['1-200'];
  if (pipeline !== undefined) pipeline.jobs = { ...pipeline.jobs, 'job 9': 'running' };
  absorb(world);
  return world;
}
