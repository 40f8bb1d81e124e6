import type { ExaminedStack, GuardedStack } from './broken-stack.ts';
import { beginningWorlds } from './guarded/beginning-worlds.ts';
import { effectWorlds } from './guarded/effect-worlds.ts';
import { lateWorlds } from './late-worlds.ts';
import { shardWorlds } from './shard-worlds.ts';
import { stateWorlds } from './state-worlds.ts';

/**
 * The one table of stacks that are broken on purpose: how each is built, and the code that has to be
 * said of it. Who plays them stands apart: test/operator and, in the sandbox, test/e2e/broken ask doctor;
 * test/guards runs the command that one guard alone refuses.
 */
export const brokenStacks: {
  readonly examined: readonly ExaminedStack[];
  readonly guarded: readonly GuardedStack[];
} = {
  examined: [...stateWorlds, ...shardWorlds, ...lateWorlds],
  guarded: [...beginningWorlds, ...effectWorlds],
};
