import { withDeployment } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { inParallel } from '../../context/parallel.ts';
import { listPresentHosts } from '../../observe/host-ends.ts';
import { createFailFastMutex } from '../../record/mutex.ts';
import { requireStillPaused } from '../../service/intake.ts';
import { endProcess } from './end-process.ts';
import { refuseUnasked } from './recheck-before-removal.ts';
import { removeWorkers } from './worker-deletion.ts';

/**
 * Ends the idle process, disables its restart and proves its exit. This is irreversible and
 * therefore comes after the drain. On GitHub, a worker's runner is removed after its process, never
 * before.
 */
export async function stop(context: StageContext, shard: Shard): Promise<void> {
  await refuseUnasked(context, shard);
  // Hours may have passed since the drain, because of a bake or a crashed run.
  const isRetiring = context.journal.current().deployment.retiring === shard;
  const known = isRetiring ? await requireStillPaused(context, shard) : undefined;
  await stopProcesses(context, shard, known);
  await removeWorkers(context, shard);
}

async function stopProcesses(
  context: StageContext,
  shard: Shard,
  known: Registration | undefined,
): Promise<void> {
  const hosts = await listPresentHosts(context, shard);
  if ('unknown' in hosts) {
    context.log.act(
      `Did not stop the runner process of ${shard}: ${hosts.unknown}. The ${wordsOf(context).registration} is ${wordsOf(context).paused} and idle.`,
    );
    return;
  }
  if (hosts.some(({ agent }) => agent !== 'lost')) await noteStopping(context, shard);
  const turn = createFailFastMutex();
  await inParallel(hosts, ({ id, agent }) =>
    agent === 'lost'
      ? warnOfLostJobs(context, id)
      : endProcess(context, { shard, host: id, known }, turn),
  );
}

/**
 * Notes the stop before the first process ends. Without the note, an unresponsive host cannot have
 * been stopped by hosted-runner.
 */
async function noteStopping(context: StageContext, shard: Shard): Promise<void> {
  const { journal } = context;
  const { retiring, stoppingAt } = journal.current().deployment;
  if (retiring !== shard || stoppingAt !== undefined) return;
  await journal.write(withDeployment(journal.current(), { stoppingAt: timestamp(context) }));
}

async function warnOfLostJobs(context: StageContext, id: string): Promise<void> {
  context.log.warn(
    `The SSM agent of host ${id} does not respond, so the runner process there cannot be stopped. The ${wordsOf(context).registration} is ${wordsOf(context).paused} and idle.`,
  );
}
