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
 * Time limits for sources that do not respond. The hosts' limit is shorter, so the other sources
 * are still reported.
 */
const limits = {
  /** GitHub kills a job within ten seconds of a cancel; the error must be printed before. */
  cancelled: { hostsMs: 1000, shardMs: 1800, allMs: 2000 },
  /** The operator waits for a refusal that needed no query, or for an unresponsive system. */
  refused: { hostsMs: 10_000, shardMs: 14_000, allMs: 15_000 },
  failed: { hostsMs: 20_000, shardMs: 28_000, allMs: 30_000 },
};

/**
 * Adds to the error which shard accepts jobs, unless it is there already. Never fails.
 * @param isUntouched nothing was changed before the error
 */
export async function addNowLine(
  context: StageContext,
  error: DeployError,
  { atOnce, isUntouched = false }: { atOnce: boolean; isUntouched?: boolean } = { atOnce: false },
): Promise<DeployError> {
  if (error.fields.now !== undefined) return error;
  const isCut = error.exitCode === 130;
  // After half a minute without a response, another half minute would be wasted.
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
            ? 'Neither shard was changed. hosted-runner could not check in time which shard accepts jobs.'
            : 'hosted-runner could not check in time which shard accepts jobs.',
        ),
    },
  );
  const finishes = formatFinisher(context, error, situation);
  return new DeployError({ ...error.written, now: `${situation.now}${finishes}` });
}

/**
 * Names the shard that still exists and the command that removes it, because a pipeline may pass
 * with this error.
 */
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
  // The same commands finish a rollback in progress.
  const isRollback = kind === 'rollback' && phase === 'promoting';
  if (retiring === undefined || !(isRetiring(phase) || isRollback)) return '';
  const command = commandOf({ command: 'finalize', runner }, typed);
  return ` ${capital(retiring)} still exists. The scheduled finalize removes it; without a schedule, run ${command}.`;
}

/** Adds the remaining shard to the error of a run that ended before its first request. */
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
  return `The deployment record of ${runner} was not read, so ${shard} may still exist as the old shard. The scheduled finalize removes it; without a schedule, run ${command}.`;
}
