import type { Shard } from '../domain/shard.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { stopUnproven } from '../errors/shards.ts';
import { isPortFailure } from '../ports/failure.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { HostReport } from '../ports/runner-host.ts';
import { type StageContext, wordsOf } from './context.ts';
import { gate } from './effect.ts';
import { irreversible } from './irreversible.ts';
import { listHosts } from './observe.ts';
import { removeWorkers } from './unregister.ts';

/** An idle process exits at once; the signal is sent again while its state does not change. */
const looksForExit = 60;
const lookPauseMs = 2000;
const resendEvery = 10;

/**
 * Who may not ask the hosts, although the configuration says that they are asked, is believed by the
 * registry's word alone only where `host.access: none` says so: shutdown and cleanup stop alike.
 */
export async function refuseUnasked(
  { ports, settings }: StageContext,
  shard: Shard,
): Promise<void> {
  if (settings.host.access === 'none') return;
  try {
    const hosts = await ports.host.list({ runnerName: settings.runnerName, shard });
    for (const { id, agent } of hosts) if (agent === 'online') await ports.host.look(id);
  } catch (error) {
    if (isPortFailure(error) && error.kind !== 'denied') return;
    throw error;
  }
}

/** SIGQUIT to the idle process, restart disabled, its exit proven. It cannot be taken back, so it comes last. */
export async function stop(context: StageContext, shard: Shard): Promise<void> {
  const { log } = context;
  await refuseUnasked(context, shard);
  // Remove the runner before its process, or a job can land on one that is about to end.
  await removeWorkers(context, shard);
  const hosts = await listHosts(context, shard);
  if ('unknown' in hosts) {
    log.act(
      `Did not stop the runner process of ${shard}: ${hosts.unknown}. It is ${wordsOf(context).paused} and idle.`,
    );
    return;
  }
  for (const host of hosts) {
    if (host.agent === 'lost') {
      log.warn(
        `The agent of host ${host.id} is lost; its process cannot be stopped. It is ${wordsOf(context).paused} and idle.`,
      );
      continue;
    }
    await stopHost(context, shard, host.id);
  }
}

async function stopHost(context: StageContext, shard: Shard, host: string): Promise<void> {
  const { ports, log } = context;
  let reason = 'its exit was not seen';
  await lookUntil({ clock: ports.clock, cadence: { pollMs: lookPauseMs } }, async (looks) => {
    const look = looks - 1;
    if (look >= looksForExit) throw unproven(context, shard, `host ${host}: ${reason}`);
    const report = await ports.host.look(host);
    if (report.kind === 'report' && hasExited(report)) {
      log.act(
        `Stopped the runner process on ${host}: it is ${report.process} and nothing starts it again.`,
      );
      return seen(true);
    }
    reason = report.kind === 'silent' ? report.reason : `the process is ${report.process}`;
    const needsSignal = report.kind === 'report' && (report.process !== 'quitting' || look > 0);
    if (needsSignal && look % resendEvery === 0) {
      await gate(context, shard);
      const { host: hosts } = await irreversible(context, shard);
      const answer = await hosts.quit(host);
      if (answer.kind === 'refused') reason = answer.reason;
    }
    log.wait(`Waiting: the runner process on ${host} ends, ${reason}.`);
    return notYet();
  });
}

function unproven({ settings, stage }: StageContext, shard: Shard, reason: string): DeployError {
  return stopUnproven({ runner: settings.runnerName, shard, reason, stage });
}

function hasExited({ process, restarts }: HostReport): boolean {
  return (process === 'stopped' || process === 'absent') && !restarts;
}
