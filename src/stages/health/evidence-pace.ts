import type { Prospect } from '../../domain/deployment/pace.ts';
import type { Evidence } from '../../domain/health/health.ts';
import type { StageContext } from '../walk/context.ts';
import type { Watch } from './watch.ts';

/** No job is over sooner than this after it waited: a runner takes it, prepares, fetches sources, runs. */
const shortestCanaryMs = 2000;

/** How near the verdict is, by the evidence of each look and by what the looks before it have seen. */
export function startPace(
  { ports, settings }: StageContext,
  watch: Watch,
): (evidence: readonly Evidence[]) => Prospect {
  const { pollMs } = settings.healthcheck;
  let blindTimes = 0;
  let comingSince: number | undefined;
  let nearSince: number | undefined;
  return (evidence) => {
    const now = ports.clock.elapsed();
    const first = evidence.find(({ state }) => state !== 'good');
    // Where nobody can be asked, and neither can the canary, many are likely to have that trouble at once.
    blindTimes = first?.state === 'unknown' && !watch.hot ? blindTimes + 1 : 0;
    comingSince = first?.kind === 'instance' ? undefined : (comingSince ?? now);
    nearSince = watch.hot ? (nearSince ?? now) : undefined;
    if (blindTimes > 0)
      return { kind: 'blind', times: blindTimes, fraction: ports.random.fraction() };
    if (nearSince !== undefined) {
      const tooEarlyMs = tooEarlyFor(watch, now);
      if (tooEarlyMs > 0) return { kind: 'due', inMs: Math.min(tooEarlyMs, pollMs) };
      return { kind: 'near', forMs: now - nearSince };
    }
    if (comingSince === undefined) return { kind: 'far' };
    return { kind: 'coming', forMs: now - comingSince };
  };
}

/** A canary that waited a moment ago cannot have ended by now. */
function tooEarlyFor({ canaryWaitedAt }: Watch, now: number): number {
  return canaryWaitedAt === undefined ? 0 : canaryWaitedAt + shortestCanaryMs - now;
}
