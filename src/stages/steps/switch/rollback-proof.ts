import type { Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { proveService } from '../../service/service-proof.ts';
import type { HealthResult } from '../healthcheck/collect-evidence.ts';

/**
 * Whether the old shard, whose process has never ended, is proven now by the judge of service although
 * no canary can be had: outside of the pipeline whose job it is. Whether a verdict goes back or a person
 * makes no difference. Only the canary is made up for, and never one that was begun.
 */
export async function isProvenWithoutCanary(
  context: StageContext,
  old: Shard,
  { verdict, evidence, hadCanary }: HealthResult,
): Promise<boolean> {
  const { settings, journal, log } = context;
  if (journal.current().deployment.kind !== 'rollback') return false;
  if (verdict.kind !== 'inconclusive' || hadCanary) return false;
  const required = evidence.filter(
    ({ kind }) => kind !== 'observe' && settings.healthcheck.evidence[kind] === 'required',
  );
  const open = required.filter(({ state }) => state !== 'good');
  if (open.length !== 1 || open[0]?.kind !== 'canary' || open[0].state !== 'unknown') return false;
  const service = await proveService(context, old);
  if (service.kind !== 'proven') return false;
  log.warn(`No canary can be had for ${old}; it is proven without one: ${service.reason}.`);
  return true;
}
