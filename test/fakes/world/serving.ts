import type { StackSettings } from '../../../src/domain/settings.ts';
import { isShard, type Shard, shardDescription } from '../../../src/domain/shard.ts';
import { registrationOfLive } from './jobs.ts';
import type { HostState, RegistrationState, World } from './world.ts';

/** Where a stack's parameters are (written here anew, so that a slip in the product is seen). */
export function parametersOf(stack: StackSettings) {
  const base = stack.parameterPrefix;
  return {
    base,
    status: `${base}deployment_status`,
    record: `${base}deployment_record`,
    lock: `${base}deployment_lock`,
    hold: `${base}deployment_hold`,
    token: (shard: Shard) => `${base}${shard}/runner_token`,
  };
}

export function parameterValue(world: World, name: string): string | undefined {
  return world.parameters[name]?.versions.at(-1)?.value;
}

/** What `deployment_status` says; undefined where it says nothing of use. */
export function activeShard(world: World, stack: StackSettings): Shard | undefined {
  return activeOf(stack, parameterValue(world, parametersOf(stack).status));
}

export function activeOf(stack: StackSettings, text: string | undefined): Shard | undefined {
  try {
    const active = (JSON.parse(text ?? '') as { active_shard?: unknown }).active_shard;
    return typeof active === 'string' && isShard(stack.shards, active) ? active : undefined;
  } catch {
    return undefined;
  }
}

/** Whether customers' jobs are matched to this registration, paused or not. */
export function hasProductionTags(registration: RegistrationState, stack: StackSettings): boolean {
  const { tags } = stack.registration;
  if (registration.runUntagged) return true;
  return tags.length > 0 && tags.every((tag) => registration.tags.includes(tag));
}

/** Whose name a registration or a resource carries; undefined where it is none of this stack's. */
export function shardOf({ runnerName, shards }: StackSettings, description: string) {
  return shards.find((shard) => shardDescription({ runnerName, shard }) === description);
}

export function registrationsOf(
  world: World,
  stack: StackSettings,
  shard: Shard,
): RegistrationState[] {
  const description = shardDescription({ runnerName: stack.runnerName, shard });
  return Object.values(world.registrations).filter((one) => one.description === description);
}

/** Instances that exist. */
export function hostsOf(world: World, stack: StackSettings, shard: Shard): HostState[] {
  return Object.values(world.hosts).filter(
    (host) =>
      host.state === 'running' && host.runnerName === stack.runnerName && host.shard === shard,
  );
}

/** Whether a customer's job submitted now would be run by this shard. */
export function isServing(world: World, stack: StackSettings, shard: Shard): boolean {
  return workingRegistrations(world, stack, shard).some(({ paused }) => !paused);
}

/** Whether it would once it is opened: its tags and its process are there. */
export function canServe(world: World, stack: StackSettings, shard: Shard): boolean {
  return workingRegistrations(world, stack, shard).length > 0;
}

/** Whether it would by any tag that it has: what was deployed before may have other tags than today's. */
export function mayServe(world: World, stack: StackSettings, shard: Shard): boolean {
  return askingRegistrations(world, stack, shard).some(
    (one) => hasProductionTags(one, stack) || one.tags.some((tag) => !tag.startsWith('canary-')),
  );
}

/** Whether a process of it asks for jobs, whatever jobs it would be given. */
export function canWork(world: World, stack: StackSettings, shard: Shard): boolean {
  return askingRegistrations(world, stack, shard).length > 0;
}

function workingRegistrations(
  world: World,
  stack: StackSettings,
  shard: Shard,
): RegistrationState[] {
  return askingRegistrations(world, stack, shard).filter((one) => hasProductionTags(one, stack));
}

function askingRegistrations(
  world: World,
  stack: StackSettings,
  shard: Shard,
): RegistrationState[] {
  return hostsOf(world, stack, shard).flatMap((host) => {
    const registration = worksWell(host) ? registrationOfLive(world, host) : undefined;
    return registration === undefined ? [] : [registration];
  });
}

function worksWell({ boot }: HostState): boolean {
  return boot !== 'never_takes_jobs' && boot !== 'given_no_jobs' && boot !== 'fails_jobs';
}

export function servingShards(world: World, stack: StackSettings): Shard[] {
  return stack.shards.filter((shard) => isServing(world, stack, shard));
}
