import type { StackSettings } from '../../../src/domain/settings.ts';
import { cutOff } from '../hosts/host-trouble.ts';
import { terminateHost } from '../hosts/hosts.ts';
import { absorb } from '../invariants/checker.ts';
import { putParameter } from '../ports/parameters-fake.ts';
import { addPipeline } from '../ports/pipelines-fake.ts';
import { entryOfThief } from '../world/lock-holder.ts';
import { activeShard, hostsOf, parametersOf } from '../world/shards.ts';
import type { World } from '../world/world.ts';

/** Returns the system whose token a port uses. */
export function systemOf(port: string): 'gitlab' | 'aws' | 'none' {
  if (port === 'registry' || port === 'canary' || port === 'pipelines') return 'gitlab';
  return port === 'clock' ? 'none' : 'aws';
}

const thiefId = '1-666';

/** Lets another pipeline's job take the lock over as stale and die with it. */
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

/** Applies the fault to every machine of one shard: the active or the inactive one. */
export function strikeMachines(
  world: World,
  stack: StackSettings,
  { of, what }: { of: 'active' | 'other'; what: 'dies' | 'hangs' | 'offline' },
): void {
  const active = activeShard(world, stack);
  // Without an active shard, `other` is the shard that is being built.
  const shard = stack.shards.find((one) => (one === active) === (of === 'active'));
  if (shard === undefined) return;
  for (const host of hostsOf(world, stack, shard)) {
    if (what === 'dies') terminateHost(world, host, 'world');
    else cutOff(world, host, what);
  }
  absorb(world);
}

/**
 * Writes the same value with other spacing, like an operator's editor that saves without a change.
 */
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

/** Returns whether the command's result reports an action or none. */
export function resultKind(value: unknown): 'done' | 'nothing' {
  return (value as { kind?: unknown } | undefined)?.kind === 'nothing' ? 'nothing' : 'done';
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'Bug';
}
