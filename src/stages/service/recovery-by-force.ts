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
  /** Commands that are accepted instead. */
  readonly next: readonly Line[];
}

/**
 * Explains why a shard may not be removed by force; undefined if no shard can accept jobs and the
 * operator may confirm it. Called before the offer and again before the removal.
 */
export async function whyNotForceable(
  context: StageContext,
  { isDryRun = false }: { readonly isDryRun?: boolean | undefined } = {},
): Promise<NotTaken | undefined> {
  const { journal, settings } = context;
  const { phase } = journal.current().deployment;
  for (const shard of settings.shards) {
    // Before its promotion, a candidate gets no production tags, so a canary would prove nothing.
    const service =
      isDryRun || isBefore(phase, 'promoting')
        ? await checkUntilCountsGrow(context, watchService(context, shard))
        : await proveService(context, shard);
    if (service.kind === 'proven')
      return { reason: `${shard} accepts jobs: ${service.reason}`, next: [] };
  }
  const { shard } = await findShardToTake(context);
  const verdict = await judgeForced(context, shard, await watchService(context, shard).check());
  if (verdict.may) return undefined;
  const next = verdict.rule === 'process' ? await whatOpens(context, shard) : [];
  return { reason: verdict.reason, next };
}

/** Returns whether another actor paused the shard, before a drain or without one. */
function isForeign(context: StageContext, shard: Shard): boolean {
  return isPausedByOperator(context.journal.current(), shard) || !isPauseNoted(context, shard);
}

/**
 * Decides whether `activate` can reopen a candidate that an operator paused before its retreat. No
 * run and no rollback reopens it.
 */
export async function canActivate(context: StageContext, shard: Shard): Promise<boolean> {
  const record = recordOf(context);
  if (record === undefined || retreatingCandidate(context) !== shard) return false;
  if (!isPausedByOperator(record, shard)) return false;
  return (await checkServiceOnce(context, shard)).kind !== 'disproven';
}

/**
 * Returns the command that reopens the shard. If a rollback finds no process, the next run of the
 * drain reopens the shard.
 */
async function whatOpens(context: StageContext, shard: Shard): Promise<readonly Line[]> {
  const runner = context.settings.runnerName;
  if (await canActivate(context, shard)) return [activateLine({ runner, shard })];
  const back = rollbackLines({ runner, shard, back: await findRollbackTarget(context, shard) });
  return back.length > 0 || isForeign(context, shard)
    ? back
    : [{ text: `Reopen ${shard}`, command: 'finalize', runner }];
}

/** Lists for an error the recovery methods of a shard whose other shard is not verified. */
export async function listRecoveries(
  context: StageContext,
  shard: Shard,
  other: Service,
  where: 'not proven' | 'ended' = 'not proven',
) {
  return {
    back: await findRollbackTarget(context, shard),
    canForceRemoval: await canForceRemoval(context, shard, other, where),
    opens: await canActivate(context, shard),
  };
}

/** Decides for an error whether the shard may be removed by force. `other`: the other's result. */
export async function canForceRemoval(
  context: StageContext,
  shard: Shard,
  other?: Service,
  /** `ended`: the shard was just reopened, and its first requests cannot have verified it yet. */
  where: 'not proven' | 'ended' = 'not proven',
): Promise<boolean> {
  const { journal } = context;
  // The next run may verify a shard that could not be queried in this run.
  const isUnasked = other?.kind === 'unknown' && (other.passing === true || !other.open);
  if (journal.version() === 0 || isUnasked) return false;
  if (journal.current().deployment.phase === 'done') return false;
  const taken = await findShardToTake(context);
  if (taken.active === shard || taken.shard !== shard) return false;
  if (where === 'not proven') return isUnavailable(context, shard);
  return (await watchService(context, shard).check()).kind === 'disproven';
}

/** Returns for an error the shard that may be removed by force beside an unverified candidate. */
export async function findForceableShard(context: StageContext): Promise<Shard | undefined> {
  if (context.journal.version() === 0) return undefined;
  const { shard } = await findShardToTake(context);
  return (await canForceRemoval(context, shard)) ? shard : undefined;
}

/**
 * Returns for an error after the promotion the command that finishes the deployment. While the
 * promoted shard is disproven, the other shard cannot be retired. If neither can accept jobs, the
 * operator may remove it by force.
 */
export async function finishLines(context: StageContext): Promise<readonly Line[]> {
  const { journal, settings } = context;
  const runner = settings.runnerName;
  const { candidate } = journal.current().deployment;
  const finish = { text: 'Finish the deployment', command: 'finalize', runner };
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

async function isUnavailable(context: StageContext, shard: Shard): Promise<boolean> {
  const service = await checkUntilCountsGrow(context, watchService(context, shard));
  return service.kind !== 'proven' && (await judgeForced(context, shard, service)).may;
}

async function judgeForced(context: StageContext, shard: Shard, service: Service) {
  const record = context.journal.current();
  const pause = await readPause(context, shard);
  const { registration } = shardEntry(record, shard);
  const canAccept = service.kind === 'unknown' && service.open;
  const contactAgeMs =
    registration !== undefined && (pause !== undefined || canAccept)
      ? await contactAge(openShardSources(context, shard), registration)
      : undefined;
  const subject = { record, shard, words: wordsOf(context) };
  return mayRemove({ act: 'although_nothing_serves', ...subject, service, pause, contactAgeMs });
}

/** Reads the process states of a shard that the drain or an operator paused. */
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
  // A promoted deployment has reopened the shard, whatever paused it later.
  if (!found.value.paused && (deployment.phase === 'promoted' || !isForDrain)) return undefined;
  const hosts = await listHostReadings(context, shard);
  const isWithoutMachines =
    hosts.length === 0 &&
    (await readMachines(openShardSources(context, shard), noHost)).word.kind === 'gone';
  const ownActor = describePauseDoubt(record) ?? 'by this deployment';
  return {
    by: isForeign(context, shard) ? 'outside hosted-runner' : ownActor,
    hosts,
    isWithoutMachines,
  };
}

/** Creates the error of a drain whose other shard no longer accepts jobs. */
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
    // A shard that must drain again cannot be cleaned up, and `shutdown` drains it by itself. A
    // stage that brings up candidates has no other work left.
    stage:
      phase === 'promoted' && stage !== 'shutdown' && (isRetirement(stage) || bringsUp(stage))
        ? 'finalize'
        : stage,
    times: reopened?.times ?? 0,
    ...(await listRecoveries(context, drained, service, opened ? 'ended' : 'not proven')),
  });
}
