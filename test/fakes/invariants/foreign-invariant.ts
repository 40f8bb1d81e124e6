import { parametersOf, shardOf } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import type { Actor } from './invariants.ts';

/**
 * Checks S15: no other stack is changed, including one whose name has this stack's name as a
 * prefix.
 */
export function foreign({ stack }: Actor, description: string): string[] {
  if (shardOf(stack, description) !== undefined) return [];
  return [`S15: ${description} is not of stack ${stack.runnerName}`];
}

/**
 * Checks S15 for a registration. A registration with a machine of this stack belongs to the stack
 * under any name.
 */
export function foreignRegistration(
  world: World,
  actor: Actor,
  { id, description }: { id: string; description: string },
): string[] {
  const { runnerName } = actor.stack;
  const managers = world.registrations[id]?.managers ?? [];
  const isOnOwnHost = managers.some(
    ({ hostId }) => world.hosts[hostId ?? '']?.runnerName === runnerName,
  );
  return isOnOwnHost ? [] : foreign(actor, description);
}

export function foreignHost({ stack }: Actor, name: string): string[] {
  return foreign({ stack } as Actor, name.replace(/_runner-manager$/, ''));
}

export function foreignParameter({ stack }: Actor, name: string): string[] {
  if (name.startsWith(parametersOf(stack).base)) return [];
  return [`S15: ${name} is not of stack ${stack.runnerName}`];
}
