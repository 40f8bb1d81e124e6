import type { StackSettings } from '../../../src/domain/settings.ts';
import { isShard, type Shard, shardDescription } from '../../../src/domain/shard.ts';
import { registrationOfLive } from './jobs.ts';
import type { HostState, RegistrationState, World } from './world.ts';

/**
 * Names the parameters of a stack. The names are repeated here to expose errors in the product.
 */
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

/** Returns the active shard in `deployment_status`; undefined without a usable value. */
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

/** Decides whether customer jobs match this registration, paused or not. */
export function hasProductionTags(registration: RegistrationState, stack: StackSettings): boolean {
  const { tags } = stack.registration;
  if (registration.runUntagged) return true;
  return tags.length > 0 && tags.every((tag) => registration.tags.includes(tag));
}

/**
 * Returns the shard whose name a registration or a resource carries; undefined for other stacks.
 */
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

/** Lists existing instances. */
export function hostsOf(world: World, stack: StackSettings, shard: Shard): HostState[] {
  return Object.values(world.hosts).filter(
    (host) =>
      host.state === 'running' && host.runnerName === stack.runnerName && host.shard === shard,
  );
}

/** Decides whether this shard would run a customer job that is submitted now. */
export function isAcceptingJobs(world: World, stack: StackSettings, shard: Shard): boolean {
  return workingRegistrations(world, stack, shard).some(({ paused }) => !paused);
}

/** Decides whether the shard would run such a job if unpaused: its tags and its process exist. */
export function canAcceptJobs(world: World, stack: StackSettings, shard: Shard): boolean {
  return workingRegistrations(world, stack, shard).length > 0;
}

/**
 * Decides whether the shard would run a job of any of its tags. An earlier deployment may have
 * other tags than the current one.
 */
export function canAcceptAnyTag(world: World, stack: StackSettings, shard: Shard): boolean {
  return listPollingRunners(world, stack, shard).some(
    (one) => hasProductionTags(one, stack) || one.tags.some((tag) => !tag.startsWith('canary-')),
  );
}

/** Decides whether a process of the shard requests jobs, whichever jobs it would get. */
export function canWork(world: World, stack: StackSettings, shard: Shard): boolean {
  return listPollingRunners(world, stack, shard).length > 0;
}

function workingRegistrations(
  world: World,
  stack: StackSettings,
  shard: Shard,
): RegistrationState[] {
  return listPollingRunners(world, stack, shard).filter((one) => hasProductionTags(one, stack));
}

function listPollingRunners(world: World, stack: StackSettings, shard: Shard): RegistrationState[] {
  return hostsOf(world, stack, shard).flatMap((host) => {
    const registration = worksWell(host) ? registrationOfLive(world, host) : undefined;
    return registration === undefined ? [] : [registration];
  });
}

function worksWell({ boot }: HostState): boolean {
  return boot !== 'never_takes_jobs' && boot !== 'given_no_jobs' && boot !== 'fails_jobs';
}

export function listAcceptingShards(world: World, stack: StackSettings): Shard[] {
  return stack.shards.filter((shard) => isAcceptingJobs(world, stack, shard));
}
