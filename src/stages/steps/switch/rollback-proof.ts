import type { Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { proveService } from '../../service/service-proof.ts';
import type { HealthResult } from '../healthcheck/collect-evidence.ts';

/**
 * Decides whether the old shard, whose process never ended, is verified without a canary. This
 * replaces only a canary that cannot run, for example outside the pipeline with its job, and never
 * a canary that was started. Automatic and manual rollbacks are equal here.
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
  log.warn(
    `No canary can run on ${old}, so ${old} is verified without a canary: ${service.reason}.`,
  );
  return true;
}
