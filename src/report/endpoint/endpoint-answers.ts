import type { ShardHealth } from '../../operator/health-checker.ts';
import type { CachedVerdict } from './verdict-cache.ts';

export interface Answer {
  readonly status: 200 | 503;
  readonly body: Record<string, unknown>;
}

/** Number of checks without a response for which a healthy verdict remains valid. */
const staleAfterChecks = 3;

/**
 * Returns 200 only for a shard that a check found healthy. During a network failure, the last
 * verdict remains valid for a while. A local network failure must not remove a healthy shard.
 */
export function healthAnswer(
  verdict: CachedVerdict<ShardHealth>,
  { runner, everyMs }: { readonly runner: string; readonly everyMs: number },
): Answer {
  const { health, ageMs, stalled, stopping } = verdict;
  const isTooOld = ageMs === undefined || ageMs > staleAfterChecks * everyMs;
  const status = statusOf(verdict, isTooOld);
  return {
    status: status === 'healthy' ? 200 : 503,
    body: {
      status,
      stalled: stalled !== undefined,
      ...(stalled === undefined ? {} : { stalled_because: stalled }),
      runner_name: runner,
      ...(health === undefined ? {} : shownHealth(health)),
      ...(verdict.checkedAt === undefined
        ? {}
        : { checked_at: new Date(verdict.checkedAt).toISOString() }),
      ...(ageMs === undefined ? {} : { age_seconds: Math.round(ageMs / 1000) }),
      stopping,
    },
  };
}

function statusOf(
  { health, stalled, stopping }: CachedVerdict<ShardHealth>,
  isTooOld: boolean,
): string {
  if (stopping) return 'stopping';
  if (health === undefined) return stalled === undefined ? 'starting' : 'stalled';
  return isTooOld || health.status === 'inconclusive' ? 'stalled' : health.status;
}

function shownHealth({ shard, phase, reasons, jobs, components }: ShardHealth) {
  return {
    shard,
    phase,
    reasons,
    ...(jobs === undefined ? {} : { jobs }),
    components: Object.fromEntries(
      components.map(({ kind, state, required, detail, source, at }) => [
        kind,
        { state, required, detail, source, at },
      ]),
    ),
  };
}

/** Returns 200 always: a restart after a failed liveness probe would interrupt jobs or a drain. */
export function liveAnswer({ health, stopping }: CachedVerdict<ShardHealth>): Answer {
  const jobs = health?.jobs === undefined ? {} : { jobs: health.jobs };
  return { status: 200, body: { status: 'alive', stopping, ...jobs } };
}
