import type { StackSettings } from '../../../src/domain/settings.ts';
import { cutOff } from '../hosts/host-trouble.ts';
import { terminateHost } from '../hosts/hosts.ts';
import { absorb } from '../invariants/checker.ts';
import { putParameter } from '../ports/parameters-fake.ts';
import { addPipeline } from '../ports/pipelines-fake.ts';
import { entryOfThief } from '../world/lock-holder.ts';
import { activeShard, hostsOf, parametersOf } from '../world/serving.ts';
import type { World } from '../world/world.ts';

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

/** To every machine of a shard: of the one that the status names, or of the other one. */
export function strikeMachines(
  world: World,
  stack: StackSettings,
  { of, what }: { of: 'active' | 'other'; what: 'dies' | 'hangs' | 'offline' },
): void {
  const active = activeShard(world, stack);
  // Before anything is active, the one that is brought up is meant.
  const shard = stack.shards.find((one) => (one === active) === (of === 'active'));
  if (shard === undefined) return;
  for (const host of hostsOf(world, stack, shard)) {
    if (what === 'dies') terminateHost(world, host, 'world');
    else cutOff(world, host, what);
  }
  absorb(world);
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
