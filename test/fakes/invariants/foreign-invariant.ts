import { parametersOf, shardOf } from '../world/serving.ts';
import type { World } from '../world/world.ts';
import type { Actor } from './invariants.ts';

/** S15: another stack touched, also one whose name begins with ours. */
export function foreign({ stack }: Actor, description: string): string[] {
  if (shardOf(stack, description) !== undefined) return [];
  return [`S15: ${description} is not of stack ${stack.runnerName}`];
}

/** Whatever it is called: one that a machine of the stack is behind is the stack's. */
export function foreignRegistration(
  world: World,
  actor: Actor,
  { id, description }: { id: string; description: string },
): string[] {
  const { runnerName } = actor.stack;
  const managers = world.registrations[id]?.managers ?? [];
  const isOnOurs = managers.some(
    ({ hostId }) => world.hosts[hostId ?? '']?.runnerName === runnerName,
  );
  return isOnOurs ? [] : foreign(actor, description);
}

export function foreignHost({ stack }: Actor, name: string): string[] {
  return foreign({ stack } as Actor, name.replace(/_runner-manager$/, ''));
}

export function foreignParameter({ stack }: Actor, name: string): string[] {
  if (name.startsWith(parametersOf(stack).base)) return [];
  return [`S15: ${name} is not of stack ${stack.runnerName}`];
}
