import { areSettled } from '../../../domain/deployment/tally.ts';
import { whyBusy } from '../../../domain/drain/drain-check.ts';
import { isKeptOpen } from '../../../domain/drain/foreign-runner.ts';
import { describeJobs } from '../../../domain/drain/job-words.ts';
import { findRegistryOnly } from '../../../domain/drain/registry-only.ts';
import type { Shard } from '../../../domain/shard.ts';
import { drainUnfinished } from '../../../errors/drain-errors.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { lookAtDrain } from '../../observe/drain-look.ts';
import { requireStillClosed } from '../../service/intake.ts';
import { isForced } from '../drain/drain-limits.ts';

/**
 * Right before a registration goes. What has proven it drained is older by all that is asked in between,
 * and where no host may be asked nothing else would show that somebody has opened it since. One look
 * cannot prove that no job is left, which was proven before; it shows one that has come.
 */
export async function requireStillDrained(context: StageContext, shard: Shard): Promise<void> {
  const { ports, settings, stage } = context;
  const look = await lookAtDrain(context, shard);
  const isOpen = look.registration.kind === 'seen' && !look.registration.paused;
  if (isOpen) await requireStillClosed(context, shard, true);
  const { registration, paused } = wordsOf(context);
  // Of a host that is gone the registry goes on believing its jobs.
  const busy = look.hostsGone ? undefined : whyBusy(look, wordsOf(context));
  const { managers } = settings;
  const rules = { words: wordsOf(context), pollOfRunnerMs: 0, managers };
  const registryOnly = findRegistryOnly([look], rules);
  // A process that has ended takes no job: what the registry still lists was reported as lost.
  const isDropped =
    registryOnly !== undefined &&
    ((isForced(context) && registryOnly.ended) ||
      areSettled(registryOnly.jobs, context.journal.current().deployment.tally?.drain));
  // Closed again by now, or the look was behind: a drain has to tell whether a job came meanwhile.
  const reason = isOpen
    ? `the ${registration} was seen not ${paused}`
    : isDropped
      ? undefined
      : busy;
  if (reason === undefined) return;
  const jobs = describeJobs(look.jobs, ports.clock.now());
  const byOther = !isOpen && isKeptOpen(look.jobs, look.others);
  throw drainUnfinished({ runner: settings.runnerName, shard, stage, reason, jobs, byOther });
}
