import { mayRemove } from '../../../domain/deployment/guards/removal-rules.ts';
import { isKeptOpen } from '../../../domain/drain/foreign-runner.ts';
import { describeJobs } from '../../../domain/drain/job-text.ts';
import type { Shard } from '../../../domain/shard.ts';
import { drainUnfinished } from '../../../errors/drain-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { observeDrain } from '../../observe/drain-observation.ts';
import { requireStillPaused } from '../../service/intake.ts';
import { isForced } from '../drain/drain-limits.ts';

/**
 * Right before a registration goes. What has proven it drained is older by all that is asked in between,
 * and where no host may be asked nothing else would show that somebody has opened it since. One look
 * cannot prove that no job is left, which was proven before; it shows one that has come.
 */
export async function requireStillDrained(context: StageContext, shard: Shard): Promise<void> {
  const { ports, settings, stage, journal } = context;
  const look = await observeDrain(context, shard);
  const isOpen = look.registration.kind === 'seen' && !look.registration.paused;
  if (isOpen) await requireStillPaused(context, shard, 'removal');
  const verdict = mayRemove({
    act: 'recheck',
    ...{ record: journal.current(), shard, words: wordsOf(context) },
    ...{ look, managers: settings.managers, isForced: isForced(context) },
  });
  if (verdict.may) return;
  // Closed again by now, or the look was behind: a drain has to tell whether a job came meanwhile.
  throw drainUnfinished({
    ...{ runner: settings.runnerName, shard, stage, reason: verdict.reason },
    jobs: describeJobs(look.jobs, ports.clock.now()),
    byOther: verdict.rule === 'jobs' && isKeptOpen(look.jobs, look.others),
  });
}

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
