import type { Shard } from '../../../domain/shard.ts';
import { startUnproven } from '../../../errors/takeover-errors.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { againOf, type StageContext } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { listPresentHosts } from '../../observe/host-ends.ts';

const startChecks = 60;
const checkPauseMs = 2000;
const startAgainEvery = 10;

/**
 * For a rollback, and what turns one around: a manager that was drained and stopped is started anew on its host. What cannot be
 * asked, or is not there, is left to the evidence, which says so. Whoever else comes by lets the
 * evidence decide as well: a shard that does not start is unhealthy, and is taken back.
 */
export async function startShard(context: StageContext, shard: Shard): Promise<void> {
  const hosts = await listPresentHosts(context, shard);
  if ('unknown' in hosts) return;
  for (const { id: host, agent } of hosts) {
    if (agent !== 'online') continue;
    const reason = await startOn(context, shard, host);
    if (reason === undefined) continue;
    const { stage, settings } = context;
    if (stage === 'rollback' || stage === 'activate')
      throw startUnproven({
        runner: settings.runnerName,
        shard,
        host,
        reason,
        again: againOf(context),
      });
    context.log.warn(`The runner process on ${host} does not start: ${reason}.`);
  }
}

/** Why it does not run; undefined once it does, or where there is nothing to start. */
async function startOn(
  context: StageContext,
  shard: Shard,
  host: string,
): Promise<string | undefined> {
  const { ports, log } = context;
  let refusal: string | undefined;
  let started = false;
  return pollUntil({ clock: ports.clock, cadence: { pollMs: checkPauseMs } }, async (looks) => {
    if (looks > startChecks) return done(refusal ?? 'its start was not seen');
    const report = await ports.host.look(host);
    const process = report.kind === 'report' ? report.process : 'unknown';
    if (process === 'running' || process === 'starting' || process === 'absent') {
      if (started) log.act(`Started the runner process on ${host} anew.`);
      return done(undefined);
    }
    // One that quits has no job any more, and is started once it has ended.
    if (process === 'stopped' && (looks - 1) % startAgainEvery === 0) {
      await gate(context, shard);
      const answer = await ports.host.start(host);
      started = answer.kind !== 'refused';
      refusal = answer.kind === 'refused' ? answer.reason : undefined;
    }
    log.wait(`Waiting: the runner process on ${host} starts, it is ${process}.`);
    return pending();
  });
}
