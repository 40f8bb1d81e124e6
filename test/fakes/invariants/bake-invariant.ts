import { type Shard, shardDescription } from '../../../src/domain/shard.ts';
import type { HistoryEntry } from '../world/history.ts';
import { parametersOf, parameterValue } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import type { Actor, Case } from './invariants.ts';

interface Written {
  readonly deployment: {
    readonly id?: string;
    readonly kind?: string;
    readonly phase?: string;
    readonly candidate?: string;
    readonly retiring?: string;
    readonly bake?: { readonly ended?: object };
    readonly takes_back?: { readonly id: string };
  };
  readonly shards?: Readonly<Record<string, { readonly evidence?: object }>>;
  readonly history?: readonly string[];
}

/**
 * Checks S19. A deployment has at most one automatic rollback, and only to a verified shard. A bake
 * ends no sooner than the drain. During the bake, everything that a rollback needs stays.
 */
export function judgeBake({ world, actor, entry }: Case): string[] {
  switch (entry.kind) {
    case 'parameter_written':
      return [
        ...checkRollback(actor, entry),
        ...judgeEnd(actor, entry),
        ...judgeProof(world, actor, entry),
      ];
    case 'registration_removed':
    case 'destroyed':
      return judgeTaken(world, actor, entry.description);
    case 'process_quit':
      return judgeTaken(world, actor, entry.name.replace(/_runner-manager$/, ''));
    default:
      return [];
  }
}

type Write = HistoryEntry & { kind: 'parameter_written' };

function checkRollback({ stack }: Actor, { name, value, before }: Write): string[] {
  if (name !== parametersOf(stack).record) return [];
  const taken = read(value).deployment.takes_back?.id;
  const { deployment, history = [] } = read(before);
  if (taken === undefined || deployment.takes_back !== undefined) return [];
  const isSecond = history.some((line) => line.startsWith(`${taken} `) && /taken_back/.test(line));
  const isRollback = deployment.kind !== 'deploy';
  return isSecond || isRollback ? [`S19: deployment ${taken} was taken back once more`] : [];
}

function judgeEnd({ stack }: Actor, { name, value, before }: Write): string[] {
  if (name !== parametersOf(stack).record || read(value).deployment.phase !== 'baked') return [];
  const { id = '', phase = 'nothing' } = read(before).deployment;
  return phase === 'drained' || phase === 'baked'
    ? []
    : [`S19: the bake of ${id} was called over while the old shard was ${phase}`];
}

function judgeProof(world: World, { stack }: Actor, { name }: Write): string[] {
  const names = parametersOf(stack);
  if (name !== names.status) return [];
  const { deployment, shards } = read(parameterValue(world, names.record));
  const { takes_back: taken, candidate = '' } = deployment;
  if (taken === undefined || shards?.[candidate]?.evidence !== undefined) return [];
  return [`S19: ${candidate} is not proven, and ${taken.id} was taken back to it`];
}

function judgeTaken(world: World, { stack }: Actor, description: string): string[] {
  const { deployment } = read(parameterValue(world, parametersOf(stack).record));
  const { bake, retiring } = deployment;
  if (bake === undefined || bake.ended !== undefined || retiring === undefined) return [];
  const { runnerName } = stack;
  if (shardDescription({ runnerName, shard: retiring as Shard }) !== description) return [];
  return [`S7: something of ${retiring} was taken away before its bake had ended`];
}

function read(text: string | undefined): Written {
  try {
    return { deployment: {}, ...(JSON.parse(text ?? '') as Partial<Written>) };
  } catch {
    return { deployment: {} };
  }
}
