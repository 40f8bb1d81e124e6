import type { HistoryEntry } from '../world/history.ts';
import { parametersOf, parameterValue, shardOf } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import type { Actor, Case } from './invariants.ts';

interface WrittenRecord {
  readonly shards?: Record<
    string,
    { readonly registration?: string; readonly evidence?: { readonly canary?: string } }
  >;
}

/**
 * Checks S18: nothing of one shard or of a customer is changed as the other shard's, or as the
 * canary. The resource's own description names its owner. The record and the parameter's name show
 * for which shard the change was made.
 */
export function judgeBelonging({ world, actor, entry }: Case): string[] {
  switch (entry.kind) {
    case 'parameter_written':
      return [...judgeRecord(world, actor, entry), ...judgeToken(world, actor, entry)];
    case 'registration_routed':
    case 'registration_removed':
    case 'intake_set':
    case 'token_reset':
      return judgeTouched(world, actor, entry);
    default:
      return [];
  }
}

function judgeRecord(
  world: World,
  { stack }: Actor,
  { name, value }: HistoryEntry & { kind: 'parameter_written' },
): string[] {
  if (name !== parametersOf(stack).record) return [];
  return Object.entries(shardsIn(value)).flatMap(([shard, { registration, evidence }]) => {
    const owner = ownerOf(world, { stack }, registration);
    const canary = world.jobs[evidence?.canary ?? ''];
    return [
      ...(owner === undefined || owner === shard
        ? []
        : [`S18: registration ${registration} of ${owner} was recorded as ${shard}’s`]),
      ...(canary?.kind !== 'customer'
        ? []
        : [`S18: job ${canary.id} "${canary.name}" of a customer was taken for the canary`]),
    ];
  });
}

function judgeToken(
  world: World,
  { stack }: Actor,
  { name, value }: HistoryEntry & { kind: 'parameter_written' },
): string[] {
  const shard = stack.shards.find((one) => parametersOf(stack).token(one) === name);
  const holder = Object.values(world.registrations).find(({ token }) => token === value);
  const owner = ownerOf(world, { stack }, holder?.id);
  if (shard === undefined || owner === undefined || owner === shard) return [];
  return [`S18: the token of registration ${holder?.id} of ${owner} was written as ${shard}’s`];
}

function judgeTouched(
  world: World,
  { stack }: Actor,
  { id, description }: { id: string; description: string },
): string[] {
  const owner = shardOf(stack, description);
  const shards = shardsIn(parameterValue(world, parametersOf(stack).record) ?? '');
  const taken = Object.keys(shards).find((shard) => shards[shard]?.registration === id);
  if (owner === undefined || taken === undefined || owner === taken) return [];
  return [`S18: registration ${id} of ${owner} was touched as ${taken}’s`];
}

function ownerOf(world: World, { stack }: Pick<Actor, 'stack'>, id: string | undefined) {
  const description = world.registrations[id ?? '']?.description;
  return description === undefined ? undefined : shardOf(stack, description);
}

function shardsIn(record: string): NonNullable<WrittenRecord['shards']> {
  try {
    return (JSON.parse(record) as WrittenRecord).shards ?? {};
  } catch {
    return {};
  }
}
