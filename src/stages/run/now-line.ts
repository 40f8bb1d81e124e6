import { isRetirement, isRetiring } from '../../domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { capital } from '../../domain/text/capital.ts';
import { DeployError } from '../../errors/deploy-error.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from '../context/context.ts';
import { withTimeout } from '../context/timeout.ts';
import { isRetirementRun } from '../service/drain-abandonment.ts';
import { describeSituation, type Situation, unknownSituation } from './situation.ts';

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
export async function addNowLine(
  context: StageContext,
  error: DeployError,
  { atOnce, isUntouched = false }: { atOnce: boolean; isUntouched?: boolean } = { atOnce: false },
): Promise<DeployError> {
  if (error.fields.now !== undefined) return error;
  const isCut = error.exitCode === 130;
  // Who has not answered for half a minute is not asked for half a minute more.
  const isShort = atOnce || error.code === 'Unreachable';
  const within = limits[isCut ? 'cancelled' : isShort ? 'refused' : 'failed'];
  const situation = await withTimeout(
    describeSituation(context, { atOnce: atOnce || isCut, within }),
    {
      clock: context.ports.clock,
      limitMs: within.allMs,
      late: () =>
        unknownSituation(
          context,
          isUntouched
            ? 'Neither shard was changed; which one serves could not be found out in time.'
            : 'Which shard serves could not be found out in time.',
        ),
    },
  );
  const finishes = formatFinisher(context, error, situation);
  return new DeployError({ ...error.written, now: `${situation.now}${finishes}` });
}

/** A pipeline may pass with this error: its text names the shard that is left, and what removes it. */
function formatFinisher(
  context: StageContext,
  { exitCode }: DeployError,
  { deployment, status }: Situation,
): string {
  if (exitCode !== 75 || deployment === 'none') return '';
  const { settings, typed } = context;
  const { shards, runnerName: runner } = settings;
  if (deployment === 'unread') {
    if (!isRetirementRun(context) && context.stage !== 'deploy') return '';
    const shard = status.kind === 'known' ? status.inactive : shards.join(' or ');
    return ` ${describeUnread({ runner, shard, typed })}`;
  }
  const { phase, kind, retiring } = deployment;
  // A rollback that was begun is finished by the same commands.
  const isRollback = kind === 'rollback' && phase === 'promoting';
  if (retiring === undefined || !(isRetiring(phase) || isRollback)) return '';
  const command = commandOf({ command: 'finalize', runner }, typed);
  return ` ${capital(retiring)} still exists: the scheduled finalize removes it; without a schedule, run ${command}.`;
}

/** The same of a run that ended before its first request. */
export function addUnreadRetirement(
  error: DeployError,
  {
    stage,
    settings,
    typed,
  }: Pick<StageContext, 'stage' | 'typed'> & { readonly settings: StackSettings | undefined },
): DeployError {
  if (error.exitCode !== 75 || settings === undefined || !isRetirement(stage)) return error;
  const shard = settings.shards.join(' or ');
  const unread = describeUnread({ runner: settings.runnerName, shard, typed });
  const { now } = error.fields;
  return new DeployError({
    ...error.written,
    now: now === undefined ? unread : `${now} ${unread}`,
  });
}

function describeUnread({
  runner,
  shard,
  typed,
}: Pick<StageContext, 'typed'> & { readonly runner: string; readonly shard: string }): string {
  const command = commandOf({ command: 'finalize', runner }, typed);
  return `The deployment record of ${runner} was not read, so ${shard} may still exist as its old shard: the scheduled finalize removes it; without a schedule, run ${command}.`;
}
