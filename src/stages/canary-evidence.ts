import { type CanaryJudgement, judgeCanary } from '../domain/canary.ts';
import type { Evidence } from '../domain/health.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { StageContext } from './context.ts';
import { note, type Watch } from './watch.ts';

const maximumCanaryStarts = 5;
const canaryFailuresThatCount = 2;

export async function lookAtCanary(context: StageContext, watch: Watch): Promise<Evidence> {
  const { ports, settings } = context;
  if (settings.canary.kind === 'off')
    return note(context, 'canary', 'unknown', 'no canary is configured');
  try {
    const job = await ports.canary.findNewest();
    const judgement = judgeCanary({
      job,
      registrationId: watch.entry.registration ?? '',
      workers: watch.workers,
      canaryAtApply: watch.entry.canaryAtApply,
    });
    watch.hot = true;
    return await act(context, watch, { judgement, jobId: job?.id });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const press = error.kind === 'denied' ? `; ${ports.canary.byHand}` : '';
    return note(
      context,
      'canary',
      'unknown',
      `the canary cannot be asked: ${error.message}${press}`,
    );
  }
}

async function act(
  context: StageContext,
  watch: Watch,
  { judgement, jobId }: { judgement: CanaryJudgement; jobId: string | undefined },
): Promise<Evidence> {
  switch (judgement.kind) {
    case 'proof':
      watch.proven.add(judgement.workerId);
      if (jobId !== undefined) watch.canary = jobId;
      if (coversAll(watch)) return note(context, 'canary', 'good', judgement.reason);
      return startCanary(
        context,
        watch,
        `${judgement.reason}; the other managers are still to prove`,
      );
    case 'wait':
      return note(context, 'canary', 'missing', judgement.reason);
    case 'failed':
      watch.canaryFailures += 1;
      if (watch.canaryFailures >= canaryFailuresThatCount)
        return note(context, 'canary', 'bad', judgement.reason);
      return startCanary(context, watch, judgement.reason);
    case 'start':
      return startCanary(context, watch, judgement.reason);
  }
}

/** One canary for each manager, or the host's own word for the others. */
function coversAll({ workers, proven, hostReports }: Watch): boolean {
  const alive = hostReports.filter(({ process }) => process === 'running').length;
  return workers.every((id) => proven.has(id)) || (proven.size > 0 && alive >= workers.length);
}

async function startCanary(context: StageContext, watch: Watch, reason: string): Promise<Evidence> {
  if (watch.canaryStarts >= maximumCanaryStarts) {
    return note(
      context,
      'canary',
      'unknown',
      `${reason}; ${watch.canaryStarts} canaries were started and none could prove anything`,
    );
  }
  watch.canaryStarts += 1;
  const job = await context.ports.canary.start();
  context.log.act(`Started canary job ${job.id}: ${reason}.`);
  return note(context, 'canary', 'missing', `canary job ${job.id} waits for a runner`);
}
