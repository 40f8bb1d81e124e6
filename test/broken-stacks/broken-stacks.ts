import type { ExaminedStack, GuardedStack } from './broken-stack.ts';
import { beginningStacks } from './guarded/beginnings.ts';
import { effectStacks } from './guarded/effects.ts';
import { lateStacks } from './late.ts';
import { openedStacks } from './opened.ts';
import { shardStacks } from './shards.ts';
import { sourceStacks } from './sources.ts';
import { stateStacks } from './state.ts';

/**
 * The one table of stacks that are broken on purpose: how each is built, and the code that has to be
 * said of it. Who plays them stands apart: test/operator asks doctor;
 * test/guards runs the command that one guard alone refuses.
 */
export const brokenStacks: {
  readonly examined: readonly ExaminedStack[];
  readonly guarded: readonly GuardedStack[];
} = {
  examined: [...stateStacks, ...sourceStacks, ...shardStacks, ...lateStacks, ...openedStacks],
  guarded: [...beginningStacks, ...effectStacks],
};
