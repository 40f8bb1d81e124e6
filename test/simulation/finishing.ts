import type { StackSettings } from '../../src/domain/settings.ts';
import { shardDescription } from '../../src/domain/shard.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { activeShard, hostsOf, parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command, Ending } from '../stages/drive.ts';
import type { Beginning } from './beginnings/scenario.ts';
import { copyWorld } from './canonical/clone.ts';
import { findAdvice, nextOrder, revertStatus } from './continuation.ts';
import { type RunOrder, runOnce } from './one-run.ts';
import { judgeRest, judgeRun } from './verdict.ts';

/** Receiver of the lines that the runs would write to their event files. */
export type Evidence = (line: string) => void;

const maximumRuns = 16;
const anyBeginning: Beginning = { place: 'none', active: 'pink', record: 'fresh' };

/**
 * Runs the pipeline's jobs and the commands that errors print until nothing is left to do. Returns
 * what is wrong then.
 */
export async function finishEverything(left: World): Promise<string[]> {
  return finishWorld(copyWorld(left));
}

/** Finishes the given world itself, without a copy. */
export async function finishWorld(world: World, evidence?: Evidence): Promise<string[]> {
  const outcomes: string[] = [];
  let advice: ReturnType<typeof findAdvice>;
  await createSimulation({ world }).advance(60_000);
  for (let run = 1; run <= maximumRuns; run += 1) {
    removeParameter(world, parametersOf(world.stacks[0] as StackSettings).hold);
    const order = nextOrder(world, { beginning: anyBeginning, run, command: advice });
    if (order === undefined) {
      // The next deployment would stop at such an edit, so the operator reverts it.
      if (!isStatusOfRecord(world)) revertStatus(world);
      return judgeRest(world);
    }
    const ending = await endingOf(world, { ...order, jobId: `finish ${run}` }, evidence);
    if (ending === 'endless') {
      removeByHand(world);
      outcomes.push(`${order.command}: endless`);
      continue;
    }
    const found = judgeRun(world, ending);
    if (found.length > 0) return found;
    outcomes.push(`${order.command}: ${ending.kind === 'error' ? ending.error.code : ending.kind}`);
    advice = findAdvice(ending) ?? rollbackHint(ending);
    if (ending.kind === 'error' && ending.error.exitCode === 3 && advice === undefined)
      revertStatus(world);
  }
  return [`L1: not done after ${maximumRuns} runs: ${outcomes.join(', ')}`];
}

function isStatusOfRecord(world: World): boolean {
  const stack = world.stacks[0] as StackSettings;
  const { candidate } = deploymentOf(parameterValue(world, parametersOf(stack).record));
  return candidate === undefined || candidate === activeShard(world, stack);
}

/** Returns how a run ends. A drain without proof waits for an operator and counts as `endless`. */
async function endingOf(
  world: World,
  order: RunOrder,
  evidence: Evidence | undefined,
): Promise<Ending | 'endless'> {
  try {
    return (await runOnce(world, order, { evidence })).ending;
  } catch (error) {
    if (String(error).includes('too_long')) return 'endless';
    throw error;
  }
}

/**
 * Removes the inactive shard's machines, like an operator after a check that no job runs there.
 */
function removeByHand(world: World): void {
  const stack = world.stacks[0] as StackSettings;
  const { runnerName } = stack;
  const shard = stack.shards.find((one) => one !== activeShard(world, stack));
  if (shard === undefined) return;
  for (const host of hostsOf(world, stack, shard)) terminateHost(world, host, 'world');
  delete world.infrastructure[shardDescription({ runnerName, shard })];
  absorb(world);
}

/** Returns `rollback` if the new active shard has died while the old one still runs. */
function rollbackHint(ending: Ending): Command | undefined {
  return ending.kind === 'error' && ending.error.code === 'NothingServes' ? 'rollback' : undefined;
}
