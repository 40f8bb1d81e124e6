import type { StackSettings } from '../../src/domain/settings.ts';
import type { WorldAtRest, WorldEntry, WorldHistory } from '../../src/verify/history.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import type { HistoryEntry } from '../fakes/world/history.ts';
import { lockHolder } from '../fakes/world/lock-holder.ts';
import {
  activeOf,
  activeShard,
  listAcceptingShards,
  parametersOf,
  parameterValue,
} from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';

/** Returns the simulated world's own history in the checker's format. */
export function historyOf(
  before: World,
  after: World,
  { stoodStill = false }: { stoodStill?: boolean } = {},
): WorldHistory {
  const stack = after.stacks[0] as StackSettings;
  const customers = (ids: readonly string[]) =>
    ids.filter((id) => after.jobs[id]?.interruptedBy !== 'world');
  let active = activeShard(before, stack);
  const entries = after.history.slice(before.history.length).map((entry): WorldEntry => {
    if (entry.kind === 'parameter_written' && entry.name === parametersOf(stack).status)
      active = activeOf(stack, entry.value);
    const jobs = 'jobs' in entry ? { jobs: customers(entry.jobs) } : {};
    const names = { ...of(entry), ...('jobId' in entry ? { job: entry.jobId } : {}) };
    return {
      at: entry.at,
      kind: kindOf(entry),
      byUs: entry.actor !== 'world',
      ...names,
      ...jobs,
      ...(active === undefined ? {} : { active: `${active}-${stack.runnerName}` }),
      ...(entry.wasVisible === undefined
        ? {}
        : { wasVisible: `${entry.wasVisible}-${stack.runnerName}` }),
    };
  });
  return {
    entries,
    accepting: [before, after].map((world) => ({
      at: world.now,
      shards: listAcceptingShards(world, stack),
    })),
    tokens: Object.values(after.registrations).map(({ token }) => token),
    ownShards: stack.shards.map((shard) => `${shard}-${stack.runnerName}`),
    mayKill: after.behaviour.killAllowed,
    stoodStill,
    rest: restOf(after, stack),
  };
}

function kindOf(entry: HistoryEntry): string {
  if (entry.kind === 'intake_set') return `intake_${entry.to}`;
  if (entry.kind === 'job_interrupted')
    return entry.cause === 'us' ? 'job_interrupted_by_us' : 'job_over';
  return entry.kind;
}

function of(entry: HistoryEntry): { of?: string } {
  if ('description' in entry) return { of: entry.description };
  return 'name' in entry && 'hostId' in entry
    ? { of: entry.name.replace(/_runner-manager$/, '') }
    : {};
}

/** Text that replaces the token of a removed shard. */
const retired = '(none: retired)';

function restOf(world: World, stack: StackSettings): WorldAtRest {
  const names = parametersOf(stack);
  const { runnerName } = stack;
  const active = activeShard(world, stack);
  const isOwn = (name: string) => stack.shards.some((shard) => name === `${shard}-${runnerName}`);
  return {
    active: active === undefined ? undefined : `${active}-${runnerName}`,
    infrastructure: Object.keys(world.infrastructure).filter(isOwn),
    registrations: Object.values(world.registrations)
      .map(({ description }) => description)
      .filter(isOwn),
    tokens: stack.shards
      .filter((shard) => (parameterValue(world, names.token(shard)) ?? retired) !== retired)
      .map((shard) => `${shard}-${runnerName}`),
    locked: lockHolder(world, stack) !== undefined,
    canaries: Object.values(world.jobs).filter(
      ({ kind, status }) => kind === 'canary' && ['assigned', 'running'].includes(status),
    ).length,
    hosts: Object.values(world.hosts)
      .filter(({ state, runnerName: name }) => state === 'running' && name === runnerName)
      .map(({ shard, managed }) => ({ of: `${shard}-${runnerName}`, managed })),
    processes: Object.values(world.processes).filter(({ alive }) => alive).length,
    secretFiles: [],
    phase: deploymentOf(parameterValue(world, names.record)).phase ?? 'none',
  };
}
