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
 * Starts stopped managers again on their hosts, for a rollback or an activation. A host that cannot
 * be queried is left to the evidence, which reports it. In other stages a failed start only warns:
 * the evidence then shows an unhealthy shard.
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

/** Starts the process on one host; returns the reason if it does not run. */
async function startOn(
  context: StageContext,
  shard: Shard,
  host: string,
): Promise<string | undefined> {
  const { ports, log } = context;
  let refusal: string | undefined;
  let started = false;
  return pollUntil({ clock: ports.clock, cadence: { pollMs: checkPauseMs } }, async (checks) => {
    if (checks > startChecks) return done(refusal ?? 'no start was observed');
    const report = await ports.host.look(host);
    const process = report.kind === 'report' ? report.process : 'unknown';
    if (process === 'running' || process === 'starting' || process === 'absent') {
      if (started) log.act(`Restarted the runner process on ${host}.`);
      return done(undefined);
    }
    // A quitting process has no job left, and is started after it has ended.
    if (process === 'stopped' && (checks - 1) % startAgainEvery === 0) {
      await gate(context, shard);
      const answer = await ports.host.start(host);
      started = answer.kind !== 'refused';
      refusal = answer.kind === 'refused' ? answer.reason : undefined;
    }
    log.wait(`Waiting for the runner process on ${host} to start (state: ${process}).`);
    return pending();
  });
}
