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
 * Checks the drain again right before the runner is removed, because the proof may be minutes old.
 * Without host access, nothing else would show that another actor has reopened the shard. One check
 * cannot prove that no job is left, which was proven before, but it shows a new job.
 */
export async function requireStillDrained(context: StageContext, shard: Shard): Promise<void> {
  const { ports, settings, stage, journal } = context;
  const observed = await observeDrain(context, shard);
  const isOpen = observed.registration.kind === 'seen' && !observed.registration.paused;
  if (isOpen) await requireStillPaused(context, shard, 'removal');
  const verdict = mayRemove({
    act: 'recheck',
    ...{ record: journal.current(), shard, words: wordsOf(context) },
    ...{ observation: observed, managers: settings.managers, isForced: isForced(context) },
  });
  if (verdict.may) return;
  // The runner is paused again, or the read was stale. Only a drain excludes a new job.
  throw drainUnfinished({
    ...{ runner: settings.runnerName, shard, stage, reason: verdict.reason },
    jobs: describeJobs(observed.jobs, ports.clock.now()),
    byOther: verdict.rule === 'jobs' && isKeptOpen(observed.jobs, observed.others),
  });
}

/**
 * Refuses if the hosts cannot be queried although the configuration enables host access. Only
 * `host.access: none` makes the registry's word sufficient. Applies to shutdown and cleanup.
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
