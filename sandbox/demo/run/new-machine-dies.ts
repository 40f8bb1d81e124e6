import { runnerOf, typeAsPrinted } from '../as-printed.ts';
import type { Reading } from '../stack-reading.ts';
import type { RunningProgram } from './child.ts';
import {
  type DemoEnvironment,
  describeEnd,
  requireBegun,
  ScenarioFailure,
  start,
} from './demo-environment.ts';
import type { HeldJob } from './stream.ts';

/**
 * Plays the end of the new shard's machine while the old shard, paused for its drain, still runs a
 * job. The product must reopen the old shard and print the rollback command.
 */
export async function loseNewMachine(demo: DemoEnvironment): Promise<'done'> {
  const { stream, watch } = demo;
  const old = watch.now().active;
  if (old === undefined) throw new ScenarioFailure('no shard is active.');
  const before = watch.now().record?.id;
  const held = stream.hold();
  const deploying = start(demo, ['deploy', ...runnerOf(demo)]);
  try {
    await playOutage(demo, { deploying, held, old });
    const ended = await deploying.ended;
    requireBegun(demo, before, ended);
    if (ended.exitCode !== 1)
      throw new ScenarioFailure(`the deployment ended with ${describeEnd(ended)} and not 1.`);
    await held.release();
    return await typeAsPrinted(demo, ended.lines);
  } finally {
    deploying.kill();
    await held.release();
  }
}

/** Ends the machine at a time without a job on it, because a job would end with it. */
async function playOutage(
  demo: DemoEnvironment,
  { deploying, held, old }: { deploying: RunningProgram; held: HeldJob; old: string },
): Promise<void> {
  const { sandbox, stream, ciServer, screen, summary } = demo;
  const see = seeing(demo, deploying);
  const { record } = await see(
    'before it drained',
    (reading) => reading.record?.phase === 'draining' && reading.shards[old] === 'draining',
  );
  stream.pause();
  const ownIds = new Set(stream.jobs.map(({ ciJobId }) => ciJobId));
  ownIds.delete(held.ciJobId);
  const isIdle = () => !ciServer.jobs().some(({ id, isOver }) => ownIds.has(id) && !isOver);
  await see('while it drained', isIdle);
  const machines = machinesOf(demo, record?.candidate);
  // If a machine ends during a command, Systems Manager waits a minute for its response.
  const canPrompt = () => machines.some(({ id }) => sandbox.commands.areUnderWay(id));
  const { at: from } = await see('while it drained', () => !canPrompt());
  await Promise.all(machines.map(({ id }) => sandbox.fleet.terminate(id, { abrupt: true })));
  summary.moments.push({ at: from, text: `The machine of ${record?.candidate} ends` });
  screen.print(`✖ Terminated the machine of ${record?.candidate}; ${old} is paused and drains.`);
  stream.flow('outage');
  const opened = await see(`and did not reopen ${old}`, ({ taking }) => taking.includes(old));
  stream.flow('deployments');
  summary.outages.push({ from, to: opened.at });
  screen.print(`${old} accepts customer jobs again.`);
}

function machinesOf({ sandbox, stack }: DemoEnvironment, shard: string | undefined) {
  return sandbox.fleet
    .list()
    .filter((one) => one.runnerName === stack.runnerName && one.shard === shard)
    .filter(({ state }) => state === 'running');
}

/** Returns a wait for an observation that ends with the program. */
function seeing({ watch, program }: DemoEnvironment, { ended }: RunningProgram) {
  const over = new AbortController();
  const end = () => over.abort();
  ended.then(end, end);
  const until = AbortSignal.any([over.signal, program.signal]);
  return async (otherwise: string, isSeen: (reading: Reading) => boolean): Promise<Reading> => {
    try {
      return await watch.until(isSeen, until);
    } catch {
      program.signal.throwIfAborted();
      const last = watch.now();
      if (isSeen(last)) return last;
      throw new ScenarioFailure(
        `the deployment ended ${otherwise}, with ${describeEnd(await ended)}.`,
      );
    }
  };
}
