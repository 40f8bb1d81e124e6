import type { Shard } from '../../../domain/shard.ts';
import type { DeployError } from '../../../errors/deploy-error.ts';
import { drainUnfinished } from '../../../errors/drain-errors.ts';
import { stopUnproven } from '../../../errors/shard-errors.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Registration } from '../../../ports/registry.ts';
import type { HostReport } from '../../../ports/runner-host.ts';
import type { StageContext } from '../../context/context.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';
import type { Mutex } from '../../record/mutex.ts';
import { irreversible } from '../../service/irreversible.ts';
import { warnOfKilledJob } from '../drain/job-loss.ts';

/** Limits for the exit of an idle process. Without progress, the signal is sent again. */
const exitChecks = 60;
const checkPauseMs = 2000;
const resendEvery = 10;
/** Time to report the unfinished stop, before the CI ends this job. */
const marginMs = 60_000;

interface Ended {
  readonly shard: Shard;
  readonly host: string;
  /** The shard's runner, if it was read a moment ago. */
  readonly known?: Registration | undefined;
}

/**
 * Ends the process of one host and confirms its end. If the process turns out to have a job, it
 * continues without any time limit.
 * @param turn one mutex for all hosts that are ended in parallel. The proof that the other shard
 * accepts jobs may run a canary, reopen this shard and write the record, which must happen one at a
 * time.
 */
export async function endProcess(
  context: StageContext,
  { shard, host, known }: Ended,
  turn: Mutex,
): Promise<void> {
  const { ports, log } = context;
  let reason = 'no exit was observed';
  let since = 0;
  let killed = false;
  await pollUntil({ clock: ports.clock, cadence: { pollMs: checkPauseMs } }, async (checks) => {
    const index = checks - 1;
    if (index - since >= exitChecks) throw unproven(context, shard, `host ${host}: ${reason}`);
    const report = await ports.host.look(host);
    if (report.kind === 'report' && hasExited(report)) {
      log.act(
        `Stopped the runner process on ${host} (state: ${report.process}); hosted-runner does not restart it.`,
      );
      return done(true);
    }
    if (killed && report.kind === 'report' && (report.jobs?.length ?? 0) > 0)
      await turn(() => warnOfKilledJob(context, host));
    reason = report.kind === 'silent' ? report.reason : `the process is ${report.process}`;
    const needsSignal = report.kind === 'report' && (report.process !== 'quitting' || index > 0);
    if (needsSignal && index % resendEvery === 0) {
      const answer = await turn(async () => {
        const { host: hosts } = await irreversible(context, { act: 'stop', shard, known });
        return hosts.quit(host);
      });
      if (answer.kind === 'refused' || answer.kind === 'busy') reason = answer.reason;
      if (answer.kind === 'busy') since = index;
      // GitLab's process continues its jobs after the signal, which kills GitHub's listener.
      if (answer.kind === 'sent') killed = ports.registry.traits.registrationsPer === 'worker';
    }
    refuseTooLong(context, shard, `host ${host}: ${reason}`);
    log.wait(`Waiting for the runner process on ${host} to end: ${reason}.`);
    return pending();
  });
}

/** Ends the run if the process may wait longer for its job than the CI job lasts. */
function refuseTooLong(context: StageContext, shard: Shard, reason: string): void {
  const { settings, stage } = context;
  if (!isDeadlineWithin(context, checkPauseMs + marginMs)) return;
  throw drainUnfinished({ runner: settings.runnerName, shard, stage, reason, jobs: [] });
}

function unproven({ settings, stage }: StageContext, shard: Shard, reason: string): DeployError {
  return stopUnproven({ runner: settings.runnerName, shard, reason, stage });
}

function hasExited({ process, restarts }: HostReport): boolean {
  return (process === 'stopped' || process === 'absent') && !restarts;
}
