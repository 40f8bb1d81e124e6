import type { StackSettings } from '../../src/domain/settings.ts';
import { type Shard, shardDescription } from '../../src/domain/shard.ts';
import { type Actor, judgeEntry } from './invariants.ts';
import { wasProvable } from './service-invariants.ts';
import { servingShards } from './serving.ts';
import { callText } from './trace.ts';
import type { World } from './world.ts';

/** Judges what one effect of ours has done; violations are added to the world's. */
export function checkEffect(world: World, actor: Actor): void {
  const { checks } = world;
  const found: string[] = [];
  for (const entry of world.history.slice(checks.looked)) {
    if (entry.actor !== undefined) continue;
    entry.actor = actor.incarnation;
    if (actor.couldSee !== undefined) entry.couldSee = actor.couldSee;
    found.push(...judgeEntry({ world, actor, entry }));
  }
  checks.looked = world.history.length;
  // Other stacks cannot be hit unseen: whatever touches one is an S15.
  const { stack } = actor;
  const { unseenFrom } = actor.service;
  const isExcused = stack.shards.some(
    (shard) =>
      !isKnownToServe(world, stack, shard) && wasProvable(world, stack, { shard, unseenFrom }),
  );
  const serves = noteServing(world, stack);
  if (checks.serving[stack.runnerName] === true && !serves && !isExcused) {
    found.push(`S1: no shard of ${stack.runnerName} serves jobs any more`);
  }
  checks.serving[stack.runnerName] = serves;
  for (const text of found) {
    world.violations.push(`${text}, by ${callText(actor.call)} of ${actor.incarnation}`);
  }
}

/** Takes note of what happened by itself or by a person's hand: it is not ours to answer for. */
export function absorb(world: World): void {
  const { checks } = world;
  for (const entry of world.history.slice(checks.looked)) entry.actor ??= 'world';
  checks.looked = world.history.length;
  for (const stack of world.stacks) {
    checks.serving[stack.runnerName] = noteServing(world, stack);
  }
}

function isKnownToServe(world: World, { runnerName }: StackSettings, shard: Shard): boolean {
  return world.checks.served[shardDescription({ runnerName, shard })] === 'now';
}

/** Whether any shard serves; notes when one has stopped to. */
function noteServing(world: World, stack: StackSettings): boolean {
  const { served } = world.checks;
  const { runnerName } = stack;
  const serving = servingShards(world, stack);
  for (const shard of stack.shards) {
    const key = shardDescription({ runnerName, shard });
    if (serving.includes(shard)) served[key] = 'now';
    else if (served[key] === 'now') served[key] = { at: world.now, entry: world.history.length };
  }
  return serving.length > 0;
}
