import { type Evidence, type EvidenceKind, judgeHealth } from '../../../domain/health/evidence.ts';
import { sharedCauseMs } from '../../../domain/health/runner-faults.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { checkEvidence } from '../healthcheck/evidence-check.ts';
import { startWatch } from '../healthcheck/watch.ts';
import { findSharedOutage } from './common-outage.ts';
import type { SignalValue } from './read-signals.ts';

export interface HealthWatch {
  /** The healthcheck's evidence, looked for anew; `observe` and the canary have their own place in a bake. */
  look(using: StageContext, shard: Shard): Promise<SignalValue>;
}

/** What one process has seen; whoever comes next begins anew. */
export function watchHealth(): HealthWatch {
  /** What both shards lacked, and when by the clock that never jumps. */
  let lacked: { readonly kind: EvidenceKind; readonly at: number } | undefined;
  return {
    async look(using, shard) {
      const { verdict, open } = await lookAt(using, shard);
      const detail = verdict.reasons.join('; ');
      if (verdict.kind === 'healthy') return { value: 'good', detail };
      if (verdict.kind !== 'unhealthy' || open === undefined) return { value: 'unknown', detail };
      const { elapsed } = using.ports.clock;
      const shared = await whyShared(using, shard, open);
      if (shared !== undefined) {
        lacked = { kind: open.kind, at: elapsed() };
        return { value: 'unknown', detail: `${detail}; ${shared}` };
      }
      // What ends for both does not end for both at once: an agent comes back when it tries again.
      const isRecent = lacked?.kind === open.kind && elapsed() - lacked.at <= sharedCauseMs;
      if (!isRecent) return { value: 'bad', detail };
      return {
        value: 'unknown',
        detail: `${detail}; the other shard lacked the same a moment ago`,
      };
    },
  };
}

async function lookAt(context: StageContext, shard: Shard) {
  const { settings } = context;
  const evidence = { ...settings.healthcheck.evidence, canary: 'off', observe: 'off' } as const;
  const healthcheck = { ...settings.healthcheck, evidence };
  const using = { ...context, settings: { ...settings, healthcheck } };
  const found = await checkEvidence(using, startWatch(using, shard));
  const verdict = judgeHealth({ evidence: found, requirements: evidence, final: true });
  // The chain ends at the first that is required and not there.
  const open = found.find(({ kind, state }) => evidence[kind] === 'required' && state !== 'good');
  return { verdict, open };
}

/**
 * What both shards lack is not the new one's fault, and the way back rests on the very same evidence.
 * Undefined where the new one alone lacks it, and where nobody can say.
 */
async function whyShared(
  context: StageContext,
  shard: Shard,
  { kind }: Evidence,
): Promise<string | undefined> {
  const { retiring } = context.journal.current().deployment;
  if (retiring === undefined) return undefined;
  // Of reach the target counts: each shard may lack one of its own.
  if (kind === 'reachability') return findSharedOutage(context, shard, retiring);
  const { verdict, open } = await lookAt(context, retiring);
  if (verdict.kind !== 'unhealthy' || open?.kind !== kind) return undefined;
  return `the same is missing of ${retiring}: ${open.detail}`;
}
