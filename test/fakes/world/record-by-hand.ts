import { stackSettings } from '../builders.ts';
import { parametersOf } from './shards.ts';
import type { World } from './world.ts';

export function recordText(world: World): string {
  const { record } = parametersOf(stackSettings());
  return world.parameters[record]?.versions.at(-1)?.value ?? '';
}

export function setRecord(world: World, value: string): void {
  const { record } = parametersOf(stackSettings());
  const state = world.parameters[record];
  const last = state?.versions.at(-1);
  if (last !== undefined) state?.versions.push({ ...last, version: last.version + 1, value });
}
