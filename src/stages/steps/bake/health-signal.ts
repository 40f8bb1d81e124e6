import { type Evidence, type EvidenceKind, judgeHealth } from '../../../domain/health/evidence.ts';
import { sharedCauseMs } from '../../../domain/health/runner-faults.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { checkEvidence } from '../healthcheck/evidence-check.ts';
import { startWatch } from '../healthcheck/watch.ts';
import { findSharedOutage } from './common-outage.ts';
import type { SignalValue } from './read-signals.ts';

export interface HealthWatch {
  /** Collects the healthcheck's evidence again, except `observe` and the canary. */
  check(using: StageContext, shard: Shard): Promise<SignalValue>;
}

/** Watches the health of the promoted shard; each process starts without history. */
export function watchHealth(): HealthWatch {
  /** Evidence that both shards lacked, with its monotonic time. */
  let lacked: { readonly kind: EvidenceKind; readonly at: number } | undefined;
  return {
    async check(using, shard) {
      const { verdict, open } = await checkHealth(using, shard);
      const detail = verdict.reasons.join('; ');
      if (verdict.kind === 'healthy') return { value: 'good', detail };
      if (verdict.kind !== 'unhealthy' || open === undefined) return { value: 'unknown', detail };
      const { elapsed } = using.ports.clock;
      const shared = await whyShared(using, shard, open);
      if (shared !== undefined) {
        lacked = { kind: open.kind, at: elapsed() };
        return { value: 'unknown', detail: `${detail}; ${shared}` };
      }
      // A shared outage ends for each shard separately: an agent reconnects at its next attempt.
      const isRecent = lacked?.kind === open.kind && elapsed() - lacked.at <= sharedCauseMs;
      if (!isRecent) return { value: 'bad', detail };
      return {
        value: 'unknown',
        detail: `${detail}; the other shard lacked the same evidence a moment ago`,
      };
    },
  };
}

async function checkHealth(context: StageContext, shard: Shard) {
  const { settings } = context;
  const evidence = { ...settings.healthcheck.evidence, canary: 'off', observe: 'off' } as const;
  const healthcheck = { ...settings.healthcheck, evidence };
  const using = { ...context, settings: { ...settings, healthcheck } };
  const found = await checkEvidence(using, startWatch(using, shard));
  const verdict = judgeHealth({ evidence: found, requirements: evidence, final: true });
  // The chain ends at the first required evidence that is missing.
  const open = found.find(({ kind, state }) => evidence[kind] === 'required' && state !== 'good');
  return { verdict, open };
}

/**
 * Explains that both shards lack the same evidence, on which a rollback would rely too. Undefined
 * if only the new shard lacks it, or if the old shard is unknown.
 */
async function whyShared(
  context: StageContext,
  shard: Shard,
  { kind }: Evidence,
): Promise<string | undefined> {
  const { retiring } = context.journal.current().deployment;
  if (retiring === undefined) return undefined;
  // For reachability, the same target must be missing: each shard may lack a different target.
  if (kind === 'reachability') return findSharedOutage(context, shard, retiring);
  const { verdict, open } = await checkHealth(context, retiring);
  if (verdict.kind !== 'unhealthy' || open?.kind !== kind) return undefined;
  return `${retiring} lacks the same evidence: ${open.detail}`;
}
