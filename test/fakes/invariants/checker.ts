import type { StackSettings } from '../../../src/domain/settings.ts';
import { shardDescription } from '../../../src/domain/shard.ts';
import { callText } from '../faults/trace.ts';
import { canWork, listAcceptingShards } from '../world/shards.ts';
import type { World } from '../world/world.ts';
import { type Actor, judgeEntry } from './invariants.ts';
import { wasProvable } from './service-invariants.ts';

/** Checks one effect of a run and adds violations to the world. */
export function checkEffect(world: World, actor: Actor): void {
  const { checks } = world;
  const found: string[] = [];
  for (const entry of world.history.slice(checks.checkCount)) {
    if (entry.actor !== undefined) continue;
    entry.actor = actor.incarnation;
    if (actor.wasVisible !== undefined) entry.wasVisible = actor.wasVisible;
    found.push(...judgeEntry({ world, actor, entry }));
  }
  checks.checkCount = world.history.length;
  // Other stacks need no check here: a change of one is a violation of S15.
  const { stack } = actor;
  const { accepting } = actor.service;
  const isExcused = stack.shards.some(
    (shard) => !accepting.includes(shard) && wasProvable(world, stack, { shard, ...actor.service }),
  );
  const acceptsJobs = noteAcceptance(world, stack);
  if (checks.accepting[stack.runnerName] === true && !acceptsJobs && !isExcused) {
    found.push(`S1: no shard of ${stack.runnerName} serves jobs any more`);
  }
  checks.accepting[stack.runnerName] = acceptsJobs;
  for (const text of found) {
    world.violations.push(`${text}, by ${callText(actor.call)} of ${actor.incarnation}`);
  }
}

/** Marks events of the world or of an operator, which no run is responsible for. */
export function absorb(world: World): void {
  const { checks } = world;
  for (const entry of world.history.slice(checks.checkCount)) entry.actor ??= 'world';
  checks.checkCount = world.history.length;
  for (const stack of world.stacks) {
    checks.accepting[stack.runnerName] = noteAcceptance(world, stack);
  }
}

/** Returns whether any shard accepts jobs. Records whose machines work, and when they stopped. */
function noteAcceptance(world: World, stack: StackSettings): boolean {
  const { worked } = world.checks;
  const { runnerName } = stack;
  for (const shard of stack.shards) {
    const key = shardDescription({ runnerName, shard });
    if (canWork(world, stack, shard)) worked[key] = 'now';
    else if (worked[key] === 'now') worked[key] = { at: world.now, entry: world.history.length };
  }
  return listAcceptingShards(world, stack).length > 0;
}
