import { runnerOf, typeAsPrinted } from '../as-printed.ts';
import type { Look } from '../look.ts';
import type { RunningProgram } from './child.ts';
import type { HeldJob } from './stream.ts';
import { describeEnd, requireBegun, SceneFailure, start, type Theatre } from './theatre.ts';

/**
 * The new shard's machine ends while the old shard, closed for its drain, still runs a job: the old
 * one has to be opened again, and the way back is what is printed.
 */
export async function loseNewMachine(theatre: Theatre): Promise<'done'> {
  const { stream, watch } = theatre;
  const old = watch.now().active;
  if (old === undefined) throw new SceneFailure('no shard is active.');
  const before = watch.now().record?.id;
  const held = stream.hold();
  const deploying = start(theatre, ['deploy', ...runnerOf(theatre)]);
  try {
    await playOutage(theatre, { deploying, held, old });
    const ended = await deploying.ended;
    requireBegun(theatre, before, ended);
    if (ended.exitCode !== 1)
      throw new SceneFailure(`the deployment ended with ${describeEnd(ended)} and not 1.`);
    await held.release();
    return await typeAsPrinted(theatre, ended.lines);
  } finally {
    deploying.kill();
    await held.release();
  }
}

/** A job that runs on a machine ends with it: only when none does, the machine is taken away. */
async function playOutage(
  theatre: Theatre,
  { deploying, held, old }: { deploying: RunningProgram; held: HeldJob; old: string },
): Promise<void> {
  const { sandbox, stream, forge, screen, playbill } = theatre;
  const see = seeing(theatre, deploying);
  const { record } = await see(
    'before it drained',
    (look) => look.record?.phase === 'draining' && look.shards[old] === 'draining',
  );
  stream.pause();
  const ours = new Set(stream.jobs.map(({ forgeId }) => forgeId));
  ours.delete(held.forgeId);
  const isIdle = () => !forge.jobs().some(({ id, isOver }) => ours.has(id) && !isOver);
  await see('while it drained', isIdle);
  const machines = machinesOf(theatre, record?.candidate);
  // Systems Manager waits a minute for the word of a machine that ends while it is asked.
  const isAsked = () => machines.some(({ id }) => sandbox.commands.areUnderWay(id));
  const { at: from } = await see('while it drained', () => !isAsked());
  await Promise.all(machines.map(({ id }) => sandbox.fleet.terminate(id, { abrupt: true })));
  playbill.moments.push({ at: from, text: `The machine of ${record?.candidate} ends` });
  screen.say(`✖ Terminated the machine of ${record?.candidate}; ${old} is closed and drains.`);
  stream.flow('outage');
  const opened = await see(`and did not open ${old}`, ({ taking }) => taking.includes(old));
  stream.flow('deployments');
  playbill.outages.push({ from, to: opened.at });
  screen.say(`${old} takes customers' jobs again.`);
}

function machinesOf({ sandbox, stack }: Theatre, shard: string | undefined) {
  return sandbox.fleet
    .list()
    .filter((one) => one.runnerName === stack.runnerName && one.shard === shard)
    .filter(({ state }) => state === 'running');
}

/** Waits as long as the program runs. */
function seeing({ watch, program }: Theatre, { ended }: RunningProgram) {
  const over = new AbortController();
  const end = () => over.abort();
  ended.then(end, end);
  const until = AbortSignal.any([over.signal, program.signal]);
  return async (otherwise: string, isSeen: (look: Look) => boolean): Promise<Look> => {
    try {
      return await watch.until(isSeen, until);
    } catch {
      program.signal.throwIfAborted();
      const last = watch.now();
      if (isSeen(last)) return last;
      throw new SceneFailure(
        `the deployment ended ${otherwise}, with ${describeEnd(await ended)}.`,
      );
    }
  };
}
