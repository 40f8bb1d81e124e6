import type { ExaminedStack, GuardedStack } from './broken-stack.ts';
import { beginningStacks } from './guarded/beginnings.ts';
import { effectStacks } from './guarded/effects.ts';
import { lateStacks } from './late.ts';
import { openedStacks } from './opened.ts';
import { shardStacks } from './shards.ts';
import { sourceStacks } from './sources.ts';
import { stateStacks } from './state.ts';

/**
 * Table of deliberately broken stacks, with the expected code of each. test/operator runs doctor on
 * them, and test/guards runs the command that only one guard refuses.
 */
export const brokenStacks: {
  readonly examined: readonly ExaminedStack[];
  readonly guarded: readonly GuardedStack[];
} = {
  examined: [...stateStacks, ...sourceStacks, ...shardStacks, ...lateStacks, ...openedStacks],
  guarded: [...beginningStacks, ...effectStacks],
};
