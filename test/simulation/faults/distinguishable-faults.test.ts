import { expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { openBeginning } from '../beginnings/beginnings.ts';
import { parseScenario } from '../beginnings/scenario.ts';
import { copyWorld } from '../canonical/clone.ts';
import { type Going, nextOrder } from '../continuation.ts';
import { type ExploreOptions, type Node, nodeOf } from '../node.ts';
import { type RunHooks, type RunOrder, runOnce, type Strike } from '../one-run.ts';
import { meet } from '../simulate.ts';
import { isDistinguishable } from './distinguishable-faults.ts';
import { strikeOf } from './fault-choice.ts';
import { allModes, type FaultMode, modesOf } from './fault-modes.ts';
import { watchRun } from './seen-calls.ts';

const options: ExploreOptions = { findSite: (label) => label, isNew: () => true };

/** Returns the key of the world that a run leaves. */
async function leads({ world, going }: Node, order: RunOrder, hooks: RunHooks): Promise<string> {
  const left = copyWorld(world);
  const { ending } = await runOnce(left, order, hooks);
  const advice = meet(left, going, ending);
  return nodeOf(left, { ...going, run: going.run + 1, command: advice }, 0, []).hash;
}

async function open(text: string): Promise<{ node: Node; order: RunOrder }> {
  const beginning = parseScenario(text);
  const going: Going = { beginning, run: 0 };
  const node = nodeOf(await openBeginning(beginning), going, 1, []);
  const order = nextOrder(node.world, going);
  if (order === undefined) throw new Error(`nothing is left to do at ${text}`);
  return { node, order };
}

const isDeath = (mode: FaultMode) => mode === 'crash_before' || mode === 'crash_after';

const beginnings = [
  'none/pink/fresh',
  'onboarded/pink/resumed',
  'drained/pink/fresh',
  'promoting/purple/adopted',
];

test.each(sampleOf(beginnings, (text) => text))(
  'a fault that is not played has the same result as one that is, from %s',
  async (text) => {
    const { node, order } = await open(text);
    const watch = watchRun(order, node, options);
    const played = new Set([await leads(node, order, watch.hooks)]);
    await watch.settled();
    for (const { world } of watch.deaths)
      played.add(nodeOf(world, { ...node.going, run: 1 }, 0, []).hash);
    const notPlayed: { fault: string; strike: Strike }[] = [];
    for (const call of watch.calls.filter(({ again }) => again === undefined)) {
      for (const mode of modesOf(call)) {
        const strike = strikeOf(watch.calls, call, mode);
        if (strike === undefined) continue;
        const fault = `${call.own} ${call.port}.${call.method} ${mode}`;
        if (!isDeath(mode) && isDistinguishable(watch.calls, call, { mode, modes: allModes }))
          played.add(await leads(node, order, { strike }));
        else notPlayed.push({ fault, strike });
      }
    }
    expect(notPlayed.length).toBeGreaterThan(50);
    const elsewhere: string[] = [];
    for (const { fault, strike } of sampleOf(notPlayed, (one) => `${text} ${one.fault}`))
      if (!played.has(await leads(node, order, { strike }))) elsewhere.push(fault);
    expect(elsewhere).toEqual([]);
  },
);
