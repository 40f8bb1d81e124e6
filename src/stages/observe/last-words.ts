import { isRetiring } from '../../domain/deployment/stages-and-steps.ts';
import { capital } from '../../domain/text/capital.ts';
import { DeployError } from '../../errors/deploy-error.ts';
import { commandOf } from '../../errors/fix-line.ts';
import { recordOf, type StageContext } from '../walk/context.ts';
import { inTime } from '../walk/in-time.ts';
import { describeSituation } from './situation.ts';

/**
 * Whoever hangs is waited for so long and no longer, its hosts first, so that what the others say is
 * told all the same.
 */
const limits = {
  /** GitHub kills within ten seconds of a cancel: the error itself must still be said. */
  cancelled: { hostsMs: 1000, shardMs: 1800, allMs: 2000 },
  /** A person waits for a line that was known before anybody was asked, or for whom nobody answers. */
  refused: { hostsMs: 10_000, shardMs: 14_000, allMs: 15_000 },
  failed: { hostsMs: 20_000, shardMs: 28_000, allMs: 30_000 },
};

/**
 * The same error with who serves, unless it says so itself. Never fails.
 *
 * @param isUntouched nothing was changed before the error
 */
export async function withSituation(
  context: StageContext,
  error: DeployError,
  { atOnce, isUntouched = false }: { atOnce: boolean; isUntouched?: boolean } = { atOnce: false },
): Promise<DeployError> {
  if (error.fields.now !== undefined) return error;
  const isCut = error.exitCode === 130;
  // Who has not answered for half a minute is not asked for half a minute more.
  const isShort = atOnce || error.code === 'Unreachable';
  const within = limits[isCut ? 'cancelled' : isShort ? 'refused' : 'failed'];
  const now = await inTime(describeSituation(context, { atOnce: atOnce || isCut, within }), {
    clock: context.ports.clock,
    limitMs: within.allMs,
    late: () =>
      isUntouched
        ? 'Neither shard was changed; which one serves could not be found out in time.'
        : 'Which shard serves could not be found out in time.',
  });
  return new DeployError({ ...error.written, now: `${now}${tellWhoFinishes(context, error)}` });
}

/** A pipeline may pass with this error: its text names the shard that is left, and what removes it. */
function tellWhoFinishes(context: StageContext, { exitCode }: DeployError): string {
  const { phase, retiring } = recordOf(context)?.deployment ?? {};
  if (exitCode !== 75 || retiring === undefined || phase === undefined) return '';
  if (!isRetiring(phase)) return '';
  const line = { command: 'finalize', runner: context.settings.runnerName } as const;
  const command = commandOf(line, context.typed);
  return ` ${capital(retiring)} still exists: the scheduled finalize removes it; without a schedule, run ${command}.`;
}
