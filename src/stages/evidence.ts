import type { Evidence, EvidenceKind } from '../domain/health.ts';
import { lookAtCanary } from './canary-evidence.ts';
import type { StageContext } from './context.ts';
import { judgeHosts, judgeInstances, probeWorkload, readReports } from './host-evidence.ts';
import { lookAtManagers } from './managers.ts';
import { listHosts } from './observe.ts';
import type { Watch } from './watch.ts';

/** One look along the chain of evidence; what comes later is only asked once what comes first is there. */
export async function look(context: StageContext, watch: Watch): Promise<readonly Evidence[]> {
  const wanted = (kind: EvidenceKind) => context.settings.healthcheck.evidence[kind] !== 'off';
  const required = (kind: EvidenceKind) =>
    context.settings.healthcheck.evidence[kind] === 'required';
  const evidence: Evidence[] = [];
  const add = (one: Evidence) => {
    evidence.push(one);
    return one.state === 'good' || !required(one.kind);
  };
  const hosts = await listHosts(context, watch.shard);
  if (wanted('instance') && !add(judgeInstances(context, hosts))) return evidence;
  const reports = await readReports(context, hosts);
  watch.hostReports = reports.filter((one) => one.kind === 'report');
  // The managers are needed to judge the canary, also where they are no evidence of their own.
  const managers = await lookAtManagers(context, watch);
  if (wanted('manager') && !add(managers)) return evidence;
  if (wanted('host') && !add(judgeHosts(context, reports))) return evidence;
  if (wanted('workload') && !add(await probeWorkload(context, watch, hosts))) return evidence;
  if (wanted('canary')) add(await lookAtCanary(context, watch));
  return evidence;
}
