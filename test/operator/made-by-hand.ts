import { linux, pink } from '../fakes/builders.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { addRegistration } from '../fakes/ports/registry/registration-writes.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { RegistrationState, World } from '../fakes/world/world.ts';
import { stackOf } from './doctor/examine.ts';

/** Adds a runner of a colleague, with another tag. */
export function addStranger(world: World): RegistrationState {
  const { id } = addRegistration(world, {
    shard: { runnerName: linux, shard: pink },
    settings: stackOf(world).registration,
    tags: ['foo'],
    note: '',
  });
  const registration = world.registrations[id] as RegistrationState;
  registration.description = 'wrong-one';
  absorb(world);
  return registration;
}

export const activation = (id: string) =>
  `hosted-runner activate --runner linux --shard pink --registration ${id}`;

export function idOf(world: World, description: string): string {
  const found = Object.values(world.registrations).find((one) => one.description === description);
  return found?.id ?? '';
}

export function recorded(world: World): {
  deployment: { phase: string };
  shards: Record<string, object>;
} {
  return JSON.parse(parameterValue(world, parametersOf(stackOf(world)).record) ?? '{}');
}
