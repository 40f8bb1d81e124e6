import type { StackSettings } from '../../src/domain/settings.ts';
import { entryOfThief } from './lock-holder.ts';
import { putParameter } from './parameters-fake.ts';
import { addPipeline } from './pipelines-fake.ts';
import { parametersOf } from './serving.ts';
import type { World } from './world.ts';

/** Whose token a port uses. */
export function systemOf(port: string): 'gitlab' | 'aws' | 'none' {
  if (port === 'registry' || port === 'canary' || port === 'pipelines') return 'gitlab';
  return port === 'clock' ? 'none' : 'aws';
}

const thiefId = '1-666';

/** Another pipeline's job holds our lock for stale, takes it over, and dies with it. */
export function takeLockAway(world: World, stack: StackSettings): void {
  const { lock } = parametersOf(stack);
  if (world.pipelines[thiefId] === undefined) {
    addPipeline(world, { deploymentId: thiefId, stack: { ...stack, canary: { kind: 'off' } } });
  }
  const pipeline = world.pipelines[thiefId];
  if (pipeline !== undefined) pipeline.state = 'finished';
  const since = new Date(world.now).toISOString();
  const thief = { deployment: thiefId, job: '6666', since, process: 'thief' };
  writeAsWorld(world, lock, entryOfThief(world, stack, thief));
}

/** The same again in another spacing, as somebody leaves it who opens and saves it. */
export function writeBefore(world: World, request: unknown): void {
  const { name } = request as { name: string };
  const value = world.parameters[name]?.versions.at(-1)?.value;
  if (value !== undefined) writeAsWorld(world, name, `${value} `);
}

function writeAsWorld(world: World, name: string, value: string): void {
  putParameter(world, { name, value });
  const written = world.history.at(-1);
  if (written !== undefined) written.actor = 'world';
}

/** What a command's value says that it did. */
export function resultKind(value: unknown): 'done' | 'nothing' {
  return (value as { kind?: unknown } | undefined)?.kind === 'nothing' ? 'nothing' : 'done';
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'Bug';
}
