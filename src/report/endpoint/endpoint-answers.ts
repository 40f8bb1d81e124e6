import type { ShardHealth } from '../../operator/health-checker.ts';
import type { CachedVerdict } from './verdict-cache.ts';

export interface Answer {
  readonly status: 200 | 503;
  readonly body: Record<string, unknown>;
}

/** So long a healthy verdict stands while nobody can be asked. */
const staleAfterChecks = 3;

/**
 * 200 only for a shard that was seen to be healthy. Where the network is stalled the last verdict
 * stands for a while: taking a good shard out of service because of our own network helps nobody.
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

/** Always alive: whoever restarts what a probe calls dead must not interrupt jobs or a drain. */
export function liveAnswer({ health, stopping }: CachedVerdict<ShardHealth>): Answer {
  const jobs = health?.jobs === undefined ? {} : { jobs: health.jobs };
  return { status: 200, body: { status: 'alive', stopping, ...jobs } };
}
