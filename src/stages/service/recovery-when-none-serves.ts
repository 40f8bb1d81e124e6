import { mayRemove, shardToForceRemove } from '../../domain/deployment/guards/removal-rules.ts';
import type { PauseEvidence } from '../../domain/deployment/guards/removal-snapshot.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import { bringsUp, isBefore, isRetirement } from '../../domain/deployment/stages-and-steps.ts';
import { describePauseDoubt, isPausedByOperator } from '../../domain/drain/shard-intake.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { Shard } from '../../domain/shard.ts';
import type { Line } from '../../domain/text/line-to-type.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { activateLine, forceRemovalLines, rollbackLines } from '../../errors/recovery-lines.ts';
import { serviceLost } from '../../errors/service-errors.ts';
import { recordOf, type StageContext, wordsOf } from '../context/context.ts';
import { isPauseNoted, retreatingCandidate } from '../effects/reopen.ts';
import { listHostReadings } from '../observe/drain-observation.ts';
import { contactAge } from '../observe/host-ends.ts';
import { readSwitchedStatus } from '../observe/observe.ts';
import { noHost, readMachines } from '../observe/shard/host-view.ts';
import { checkServiceOnce, watchService } from '../observe/shard/service-watch.ts';
import { openShardSources } from '../observe/shard-sources.ts';
import { findRollbackTarget } from './rollback-target.ts';
import { checkUntilCountsGrow, proveService } from './service-proof.ts';

interface NotTaken {
  readonly reason: string;
  /** What is accepted in its place. */
  readonly next: readonly Line[];
}

/**
 * Why two shards are not beyond serving; undefined where what is left may be taken by a person's
 * word. Asked before that is offered, and once more before it is done.
 */
export async function whyNotForceable(
  context: StageContext,
  { isDryRun = false }: { readonly isDryRun?: boolean | undefined } = {},
): Promise<NotTaken | undefined> {
  const { journal, settings } = context;
  const { phase } = journal.current().deployment;
  for (const shard of settings.shards) {
    // Before its promotion nobody gives a candidate production tags, for a canary neither.
    const service =
      isDryRun || isBefore(phase, 'promoting')
        ? await checkUntilCountsGrow(context, watchService(context, shard))
        : await proveService(context, shard);
    if (service.kind === 'proven')
      return { reason: `${shard} serves: ${service.reason}`, next: [] };
  }
  const { shard } = await findShardToTake(context);
  const verdict = await judgeForced(context, shard, await watchService(context, shard).look());
  if (verdict.may) return undefined;
  const next = verdict.rule === 'process' ? await whatOpens(context, shard) : [];
  return { reason: verdict.reason, next };
}

/** Closed, and not by our drain: before it, or with none begun. */
function isForeign(context: StageContext, shard: Shard): boolean {
  return isPausedByOperator(context.journal.current(), shard) || !isPauseNoted(context, shard);
}

/** A candidate that a person had paused before its retreat: nobody else opens it, and no rollback leads to it. */
export async function canActivate(context: StageContext, shard: Shard): Promise<boolean> {
  const record = recordOf(context);
  if (record === undefined || retreatingCandidate(context) !== shard) return false;
  if (!isPausedByOperator(record, shard)) return false;
  return (await checkServiceOnce(context, shard)).kind !== 'disproven';
}

/** Where a rollback sees no process to go back to, whoever goes on with the drain opens what is ours. */
async function whatOpens(context: StageContext, shard: Shard): Promise<readonly Line[]> {
  const runner = context.settings.runnerName;
  if (await canActivate(context, shard)) return [activateLine({ runner, shard })];
  const back = rollbackLines({ runner, shard, back: await findRollbackTarget(context, shard) });
  return back.length > 0 || isForeign(context, shard)
    ? back
    : [{ say: `Open ${shard} again`, command: 'finalize', runner }];
}

/** For an error: how one goes on from a shard beside which no other one is proven to serve. */
export async function listRecoveries(
  context: StageContext,
  shard: Shard,
  other: Service,
  where: 'not proven' | 'ended' = 'not proven',
) {
  return {
    back: await findRollbackTarget(context, shard),
    wayOut: await canForceRemoval(context, shard, other, where),
    opens: await canActivate(context, shard),
  };
}

/** For an error: whether the way out is open for this shard now; `other` is what was seen of the other one. */
export async function canForceRemoval(
  context: StageContext,
  shard: Shard,
  other?: Service,
  /** `ended`: it was opened a moment ago, and what has just begun to ask for jobs is not proven yet. */
  where: 'not proven' | 'ended' = 'not proven',
): Promise<boolean> {
  const { journal } = context;
  // What could not be asked or read this time may be proven by the next run.
  const isUnasked = other?.kind === 'unknown' && (other.passing === true || !other.open);
  if (journal.version() === 0 || isUnasked) return false;
  if (journal.current().deployment.phase === 'done') return false;
  const taken = await findShardToTake(context);
  if (taken.active === shard || taken.shard !== shard) return false;
  if (where === 'not proven') return isBeyondServing(context, shard);
  return (await watchService(context, shard).look()).kind === 'disproven';
}

/** For an error: what may be taken now, where the candidate is not proven to serve. */
export async function findForceableShard(context: StageContext): Promise<Shard | undefined> {
  if (context.journal.version() === 0) return undefined;
  const { shard } = await findShardToTake(context);
  return (await canForceRemoval(context, shard)) ? shard : undefined;
}

/**
 * For an error, from the promotion on: what finishes it. As long as what was promoted is dead, whatever
 * retires the other shard is refused; where that one is beyond serving as well, a person may take it.
 */
export async function finishLines(context: StageContext): Promise<readonly Line[]> {
  const { journal, settings } = context;
  const runner = settings.runnerName;
  const { candidate } = journal.current().deployment;
  const finish = { say: 'Finish what is begun', command: 'finalize', runner };
  if ((await checkServiceOnce(context, candidate)).kind !== 'disproven') return [finish];
  const shard = await findForceableShard(context);
  return shard === undefined ? [finish] : forceRemovalLines(runner, shard, true);
}

async function findShardToTake(context: StageContext) {
  const status = await readSwitchedStatus(context);
  const active = status.kind === 'known' ? status.active : undefined;
  const { shards } = context.settings;
  return { active, shard: shardToForceRemove(context.journal.current(), { active, shards }) };
}

async function isBeyondServing(context: StageContext, shard: Shard): Promise<boolean> {
  const service = await checkUntilCountsGrow(context, watchService(context, shard));
  return service.kind !== 'proven' && (await judgeForced(context, shard, service)).may;
}

async function judgeForced(context: StageContext, shard: Shard, service: Service) {
  const record = context.journal.current();
  const pause = await readPause(context, shard);
  const { registration } = shardEntry(record, shard);
  const mayServe = service.kind === 'unknown' && service.open;
  const contactAgeMs =
    registration !== undefined && (pause !== undefined || mayServe)
      ? await contactAge(openShardSources(context, shard), registration)
      : undefined;
  const subject = { record, shard, words: wordsOf(context) };
  return mayRemove({ act: 'although_nothing_serves', ...subject, service, pause, contactAgeMs });
}

/** Of what our drain has closed, or a person before it: what its hosts say of its processes. */
async function readPause(context: StageContext, shard: Shard): Promise<PauseEvidence | undefined> {
  const { ports } = context;
  const record = context.journal.current();
  const { registration } = shardEntry(record, shard);
  const { deployment } = record;
  const isForDrain = isPauseNoted(context, shard);
  if (registration === undefined || !(deployment.retiring === shard || isForDrain))
    return undefined;
  const found = await ports.registry.find(registration);
  if (found.kind === 'absent') return undefined;
  // What is promoted was opened again, whatever may close it later.
  if (!found.value.paused && (deployment.phase === 'promoted' || !isForDrain)) return undefined;
  const hosts = await listHostReadings(context, shard);
  const isWithoutMachines =
    hosts.length === 0 &&
    (await readMachines(openShardSources(context, shard), noHost)).word.kind === 'gone';
  const ours = describePauseDoubt(record) ?? 'by this deployment';
  return { by: isForeign(context, shard) ? 'by somebody else' : ours, hosts, isWithoutMachines };
}

/** The error of a drain beside which the other shard no longer serves. */
export async function lost(
  context: StageContext,
  facts: {
    drained: Shard;
    other: Shard;
    service: Exclude<Service, { kind: 'proven' }>;
    opened: boolean;
    doubt?: string | undefined;
  },
): Promise<DeployError> {
  const { settings, stage, journal } = context;
  const { drained, service, opened } = facts;
  const { deployment } = journal.current();
  const { phase, reopened } = deployment;
  return serviceLost({
    ...facts,
    pausedByOther: isPausedByOperator(journal.current(), drained),
    runner: settings.runnerName,
    // What is to be drained once more is not to be cleaned up, and watched by whoever drains it; and of
    // what builds as well nothing else is left.
    stage:
      phase === 'promoted' && stage !== 'shutdown' && (isRetirement(stage) || bringsUp(stage))
        ? 'finalize'
        : stage,
    times: reopened?.times ?? 0,
    ...(await listRecoveries(context, drained, service, opened ? 'ended' : 'not proven')),
  });
}
