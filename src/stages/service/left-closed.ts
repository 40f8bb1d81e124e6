import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { isOursToOpen, leaveOpen } from '../switch/reopen.ts';
import type { StageContext } from '../walk/context.ts';
import { refuseWhenHeld } from '../walk/effect.ts';
import { untilGrown } from './service-proof.ts';
import { watchService } from './service-watch.ts';

/** What a schedule runs: how long a shard stays closed while nobody looks is theirs to end. */
const retiringStages: ReadonlySet<string> = new Set(['shutdown', 'cleanup', 'finalize']);

/**
 * For a run that may not go on, because of a hold or an edited status: neither is a reason to leave
 * customers without a runner. What our drain has closed is opened again, unless the other shard is
 * proven to serve. Answers what was opened.
 */
export async function openLeftClosed(context: StageContext): Promise<Shard | undefined> {
  const closed = leftClosed(context);
  if (closed === undefined) return undefined;
  const other = otherShard(context.settings.shards, closed);
  const service = await untilGrown(context, watchService(context, other));
  if (service.kind === 'proven') return undefined;
  return (await leaveOpen(context, closed, service)) === 'opened' ? closed : undefined;
}

/** Before the lock: a hold refuses, unless this run has to see to a shard that was left closed. */
export async function refuseHeldUnlessLeftClosed(context: StageContext): Promise<void> {
  await whereHeld(context, async (error) => {
    if (retiringStages.has(context.stage)) await context.journal.read();
    if (leftClosed(context) === undefined) throw error;
  });
}

/** Under the lock: a hold refuses, and what was left closed is seen to first. */
export async function refuseHeld(
  context: StageContext,
  mayAct: (record: DeploymentRecord) => boolean,
): Promise<void> {
  await whereHeld(context, async (error) => {
    const isRetiring = retiringStages.has(context.stage);
    const record = isRetiring ? await context.journal.read() : undefined;
    if (record !== undefined && mayAct(record)) await openLeftClosed(context);
    throw error;
  });
}

async function whereHeld(
  context: StageContext,
  then: (error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await refuseWhenHeld(context);
  } catch (error) {
    if (!isDeployError(error) || error.code !== 'Held') throw error;
    await then(error);
  }
}

function leftClosed(context: StageContext): Shard | undefined {
  const { journal, stage } = context;
  if (!retiringStages.has(stage) || journal.version() === 0) return undefined;
  const { retiring } = journal.current().deployment;
  return retiring !== undefined && isOursToOpen(context, retiring) ? retiring : undefined;
}
