import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { isBefore, isPastQuarantine } from '../../domain/deployment/stages-and-steps.ts';
import {
  describePauseDoubt,
  isClosedByOperator,
  mayBeStopped,
} from '../../domain/drain/drain-pause.ts';
import { requestWithinMs, type Service } from '../../domain/health/service-verdict.ts';
import { otherShard, type Shard, type ShardPair } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { Line } from '../../domain/text/line-to-type.ts';
import { activateLine, forceRemovalLines, rollbackLines } from '../../errors/recovery-lines.ts';
import { recordOf, type StageContext, wordsOf } from '../context/context.ts';
import { isClosedForDrain, retreatingCandidate } from '../effects/reopen.ts';
import { hostWords } from '../observe/drain-look.ts';
import { contactAge } from '../observe/host-ends.ts';
import { readSwitchedStatus } from '../observe/observe.ts';
import { noHost, seeMachines } from '../observe/shard/host-view.ts';
import { checkServiceOnce, watchService } from '../observe/shard/service-watch.ts';
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
  { onlyLooks = false }: { readonly onlyLooks?: boolean | undefined } = {},
): Promise<NotTaken | undefined> {
  const { journal, settings } = context;
  const { phase } = journal.current().deployment;
  for (const shard of settings.shards) {
    // Before its promotion nobody gives a candidate production tags, for a canary neither.
    const service =
      onlyLooks || isBefore(phase, 'promoting')
        ? await checkUntilCountsGrow(context, watchService(context, shard))
        : await proveService(context, shard);
    if (service.kind === 'proven')
      return { reason: `${shard} serves: ${service.reason}`, next: [] };
  }
  const shard = await findShardToTake(context);
  const runs = await whyMayRunOn(context, shard);
  const doubt = describePauseDoubt(journal.current().deployment) ?? 'by this deployment';
  const closed = isTheirs(context, shard) ? 'by somebody else' : doubt;
  if (runs !== undefined)
    return {
      reason: `${shard} was closed ${closed} and ${runs}`,
      next: await whatOpens(context, shard),
    };
  const reason = await whyMayServe(context, shard, await watchService(context, shard).look());
  return reason === undefined ? undefined : { reason, next: [] };
}

/** Closed, and not by our drain: before it, or with none begun. */
function isTheirs(context: StageContext, shard: Shard): boolean {
  return isClosedByOperator(context.journal.current(), shard) || !isClosedForDrain(context, shard);
}

/** A candidate that a person had paused before its retreat: nobody else opens it, and no rollback leads to it. */
export async function canActivate(context: StageContext, shard: Shard): Promise<boolean> {
  const record = recordOf(context);
  if (record === undefined || retreatingCandidate(context) !== shard) return false;
  if (!isClosedByOperator(record, shard)) return false;
  return (await checkServiceOnce(context, shard)).kind !== 'disproven';
}

/** Where a rollback sees no process to go back to, whoever goes on with the drain opens what is ours. */
async function whatOpens(context: StageContext, shard: Shard): Promise<readonly Line[]> {
  const runner = context.settings.runnerName;
  if (await canActivate(context, shard)) return [activateLine({ runner, shard })];
  const back = rollbackLines({ runner, shard, back: await findRollbackTarget(context, shard) });
  return back.length > 0 || isTheirs(context, shard)
    ? back
    : [{ say: `Open ${shard} again`, command: 'finalize', runner }];
}

/**
 * A contact proves nothing, and takes enough away from the opposite: of a host that nobody can ask,
 * whose runner GitLab heard of minutes ago, nobody knows that it takes no job.
 */
async function whyMayServe(
  context: StageContext,
  shard: Shard,
  service: Service,
): Promise<string | undefined> {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (service.kind !== 'unknown' || !service.open) return undefined;
  // That its machines have ended says one source alone; a contact says another thing.
  if (service.against && service.ended !== true) return undefined;
  const ageMs = registration === undefined ? undefined : await contactAge(context, registration);
  if (ageMs === undefined || ageMs > requestWithinMs) return undefined;
  const { manager, registry } = wordsOf(context);
  return `${shard} may serve: a ${manager} of it contacted ${registry} ${formatDuration(ageMs)} ago; what is silent for ${formatDuration(requestWithinMs)} may be taken`;
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
  const active = await readActive(context);
  const toTake = shardToForceRemove(journal.current(), { active, shards: context.settings.shards });
  if (active === shard || toTake !== shard) return false;
  if (where === 'not proven') return isBeyondServing(context, shard);
  return (await watchService(context, shard).look()).kind === 'disproven';
}

/** For an error: what may be taken now, where the candidate is not proven to serve. */
export async function findForceableShard(context: StageContext): Promise<Shard | undefined> {
  if (context.journal.version() === 0) return undefined;
  const shard = await findShardToTake(context);
  return (await canForceRemoval(context, shard)) ? shard : undefined;
}

/**
 * For an error, from the promotion on: what finishes it. As long as what was promoted is dead, whatever
 * retires the other shard is refused; where that one is beyond serving as well, a person may take it.
 */
export async function waysToFinish(context: StageContext): Promise<readonly Line[]> {
  const { journal, settings } = context;
  const runner = settings.runnerName;
  const { candidate } = journal.current().deployment;
  const finish = { say: 'Finish what is begun', command: 'finalize', runner };
  if ((await checkServiceOnce(context, candidate)).kind !== 'disproven') return [finish];
  const shard = await findForceableShard(context);
  return shard === undefined ? [finish] : forceRemovalLines(runner, shard, true);
}

async function findShardToTake(context: StageContext): Promise<Shard> {
  const active = await readActive(context);
  return shardToForceRemove(context.journal.current(), { active, shards: context.settings.shards });
}

async function readActive(context: StageContext): Promise<Shard | undefined> {
  const status = await readSwitchedStatus(context);
  return status.kind === 'known' ? status.active : undefined;
}

async function isBeyondServing(context: StageContext, shard: Shard): Promise<boolean> {
  const service = await checkUntilCountsGrow(context, watchService(context, shard));
  if (service.kind === 'proven') return false;
  if ((await whyMayRunOn(context, shard)) !== undefined) return false;
  return (await whyMayServe(context, shard, service)) === undefined;
}

/**
 * Before the promotion the candidate, after it the shard that is retired. A candidate that the status
 * names already is not taken: no apply touches it any more, so that the other one is built anew.
 */
export function shardToForceRemove(
  { deployment }: DeploymentRecord,
  { active, shards }: { readonly active: Shard | undefined; readonly shards: ShardPair },
): Shard {
  const { phase, candidate, retiring } = deployment;
  if (phase === 'promoting')
    return active === candidate ? otherShard(shards, candidate) : candidate;
  return isPastQuarantine(phase) ? (retiring ?? candidate) : candidate;
}

/**
 * What our drain has closed, or a person before it, can serve once it is opened, as long as a process of it may run. A pause ends
 * none, and silence of its hosts is no sign of an end before their stop was begun: of those that nobody can
 * ask, the registry has to have heard nothing either.
 */
async function whyMayRunOn(context: StageContext, shard: Shard): Promise<string | undefined> {
  const { journal, ports } = context;
  const { registration } = shardEntry(journal.current(), shard);
  const isRetiring = journal.current().deployment.retiring === shard;
  if (registration === undefined || !(isRetiring || isClosedForDrain(context, shard)))
    return undefined;
  const found = await ports.registry.find(registration);
  if (found.kind === 'absent') return undefined;
  // What is promoted was opened again, whatever may close it later.
  const isOpened = journal.current().deployment.phase === 'promoted';
  if (!found.value.paused && (isOpened || !isClosedForDrain(context, shard))) return undefined;
  const words = await hostWords(context, shard);
  if (words.some(({ kind }) => kind === 'jobs')) return 'has a process that runs';
  if (mayBeStopped(journal.current().deployment)) return undefined;
  if (words.length > 0 && words.every(({ kind }) => kind === 'stopped')) return undefined;
  if (words.length === 0 && (await seeMachines(context, shard, noHost)).word.kind === 'gone')
    return undefined;
  const ageMs = await contactAge(context, registration);
  if (ageMs !== undefined && ageMs > requestWithinMs) return undefined;
  const { manager, registry } = wordsOf(context);
  return ageMs === undefined
    ? 'nobody says that its processes have ended'
    : `may have a process that runs: a ${manager} of it contacted ${registry} ${formatDuration(ageMs)} ago`;
}
