import { retiredToken } from '../../../src/domain/deployment/token-retirement.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { shardDescription } from '../../../src/domain/shard.ts';
import { deploymentOf } from '../deployment-of.ts';
import { canariesOf } from '../ports/canary-fake.ts';
import { lockHolder } from '../world/lock-holder.ts';
import {
  activeShard,
  hostsOf,
  isAcceptingJobs,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../world/shards.ts';
import type { World } from '../world/world.ts';

/**
 * Lists, as text, leftovers that a finished deployment must not have (O1 to O10 of
 * src/verify/judge.ts).
 */
export function atRest(world: World): string[] {
  return world.stacks.flatMap((stack) => [
    ...infrastructureLeft(world, stack),
    ...shardsLeft(world, stack),
    ...parametersLeft(world, stack),
    ...canariesLeft(world, stack),
  ]);
}

function infrastructureLeft(world: World, stack: StackSettings): string[] {
  const { runnerName } = stack;
  const active = activeShard(world, stack);
  const found: string[] = [];
  const built = stack.shards.filter(
    (shard) => world.infrastructure[shardDescription({ runnerName, shard })] !== undefined,
  );
  if (built.length > 1) found.push(`O1: both shards of ${runnerName} have infrastructure`);
  if (active === undefined)
    return built.length === 0 ? found : [...found, `O1: no shard of ${runnerName} is active`];
  if (!built.includes(active)) found.push(`O1: ${active} is active and has no infrastructure`);
  if (!isAcceptingJobs(world, stack, active))
    found.push(`S1: ${active} is active and does not serve`);
  return found;
}

function shardsLeft(world: World, stack: StackSettings): string[] {
  const active = activeShard(world, stack);
  return stack.shards.flatMap((shard) => {
    const found: string[] = [];
    const registrations = registrationsOf(world, stack, shard);
    const hosts = hostsOf(world, stack, shard);
    const ids = registrations.map(({ id }) => id).join(', ');
    if (shard === active && registrations.length > 1)
      found.push(`O2: ${shard} has registrations ${ids}`);
    if (shard !== active && registrations.length > 0)
      found.push(`O2: registration ${ids} of ${shard} is left`);
    for (const { id, managed } of hosts) {
      if (!managed) found.push(`O6: host ${id} of ${shard} is in no state`);
      else if (shard !== active) found.push(`O10: host ${id} of ${shard} is left`);
    }
    const token = parameterValue(world, parametersOf(stack).token(shard)) ?? retiredToken;
    if (shard !== active && token !== retiredToken) {
      found.push(`O3: the token of ${shard} is left`);
    }
    return found;
  });
}

function parametersLeft(world: World, stack: StackSettings): string[] {
  const names = parametersOf(stack);
  const found: string[] = [];
  if (lockHolder(world, stack) !== undefined) found.push(`O4: ${names.lock} is held`);
  const record = parameterValue(world, names.record);
  const { phase, id } = deploymentOf(record);
  if (record !== undefined && phase !== 'done') {
    found.push(`O9: the record of ${id ?? 'no deployment'} is ${phase ?? 'not readable'}`);
  }
  return found;
}

function canariesLeft(world: World, stack: StackSettings): string[] {
  const found: string[] = [];
  for (const deploymentId of Object.keys(world.pipelines)) {
    for (const job of canariesOf(world, `canary-${deploymentId}-${stack.runnerName}`)) {
      if (job.finishedAt === undefined) found.push(`O5: canary job ${job.id} is ${job.status}`);
    }
  }
  for (const shard of stack.shards) {
    for (const { id, tags } of registrationsOf(world, stack, shard)) {
      const tag = tags.find((one) => one.startsWith('canary-'));
      if (tag !== undefined) found.push(`O5: registration ${id} has the tag ${tag}`);
    }
  }
  return found;
}
