import { describePauseDoubt, isPausedByOperator } from '../../domain/drain/shard-intake.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { StageContext } from '../context/context.ts';
import type { Rollback } from '../context/result.ts';
import type { ServiceKeeper } from '../context/run-memory.ts';
import { isPauseNoted, reopenIntake } from '../effects/reopen.ts';
import { explainByMaintenance } from '../observe/maintenance-mode.ts';
import { sharedAge } from '../observe/observe.ts';
import { watchOfRun } from '../observe/shard/service-watch.ts';
import { lost } from './recovery-by-force.ts';
import { findRollbackProcess, hasAutoRollback } from './rollback-decision.ts';
import { confirmBadResult, proveService, unknownForMs } from './service-proof.ts';

export function keepService(
  context: StageContext,
  drained: Shard,
  /** Monotonic time since which the other shard has not been verified. */
  notProvenSince?: number,
): ServiceKeeper {
  const { clock } = context.ports;
  const other = otherShard(context.settings.shards, drained);
  const watch = watchOfRun(context, other);
  /** Start of the last completed check. A check without a response does not count. */
  let checkedAt: number | undefined;
  let proofTriedAt: number | undefined;
  watch.unprovenSince ??= notProvenSince;

  const keeps = () => !context.forceWhenNoneAccepts && isPauseNoted(context, drained);

  async function proveAgain(service: Service): Promise<Service> {
    if (service.kind !== 'unknown') return service;
    const now = clock.elapsed();
    watch.unprovenSince ??= now;
    if (proofTriedAt !== undefined && now - proofTriedAt < unknownForMs / 2) return service;
    proofTriedAt = now;
    return proveService(context, other, watch, watch.unprovenSince + unknownForMs);
  }

  /** Remaining time in which the shard may be unknown; undefined while it is verified. */
  const untilOver = (now: number) =>
    watch.unprovenSince === undefined ? undefined : watch.unprovenSince + unknownForMs - now;

  return {
    dueInMs() {
      if (!keeps() || checkedAt === undefined) return Number.POSITIVE_INFINITY;
      const now = clock.elapsed();
      const dueMs = checkedAt + context.settings.drain.servicePollMs - now;
      return Math.max(0, Math.min(dueMs, untilOver(now) ?? dueMs));
    },
    resetUnprovenTimer() {
      watch.unprovenSince = undefined;
    },
    async check() {
      if (!keeps()) return undefined;
      const now = clock.elapsed();
      // Host checks use Run Command, so a long drain does not repeat them at each poll.
      const { servicePollMs } = context.settings.drain;
      const isOver = (untilOver(now) ?? 1) <= 0;
      if (!isOver && checkedAt !== undefined && now - checkedAt < servicePollMs) return undefined;
      const service = withRefusals(
        context,
        await proveAgain(await confirmBadResult(context, () => watch.check(undefined, sharedAge))),
      );
      if (service.kind === 'proven') {
        watch.unprovenSince = undefined;
        checkedAt = now;
        return undefined;
      }
      if (service.kind === 'unknown') {
        const forMs = clock.elapsed() - (watch.unprovenSince ?? now);
        context.log.warn(
          `${other} has not been verified for ${formatDuration(forMs)}: ${service.reason}. Missing: ${service.missing}.`,
        );
        if (forMs < unknownForMs) {
          checkedAt = now;
          return undefined;
        }
      }
      return reopenForLost(context, { drained, other, service });
    },
  };
}

/**
 * Adds a maintenance period to an unknown result. A read-only registry makes every runner
 * unresponsive and proves nothing about this one.
 */
function withRefusals(context: StageContext, service: Service): Service {
  const silenced = service.kind === 'unknown' ? explainByMaintenance(context) : undefined;
  if (service.kind !== 'unknown' || silenced === undefined) return service;
  return { ...service, reason: `${service.reason}; ${silenced}` };
}

/**
 * Reopens `drained` because `other` no longer accepts jobs.
 * @throws DeployError `ServiceLost`, unless the deployment rolls back automatically
 */
export async function reopenForLost(
  context: StageContext,
  {
    drained,
    other,
    service,
  }: {
    drained: Shard;
    other: Shard;
    service: Exclude<Service, { kind: 'proven' }>;
  },
): Promise<Rollback> {
  const doubt = describePauseDoubt(context.journal.current());
  const left = await reopenIntake(context, drained, service);
  // The reopened shard accepts jobs now, and an automatic rollback continues from here.
  const isByOperator = isPausedByOperator(context.journal.current(), drained);
  if (service.kind === 'disproven' && hasAutoRollback(context) && !isByOperator) {
    const way = await findRollbackProcess(context, drained);
    if (way.kind === 'open')
      return { kind: 'rollback', reason: service.reason, isStartedAgain: way.isStartedAgain };
  }
  const opened = left !== 'closed';
  throw await lost(context, {
    drained,
    other,
    service,
    opened,
    ...(left === 'opened' && { doubt }),
  });
}
