import type { Evidence, EvidenceKind } from '../../../domain/health/evidence.ts';
import type { StageContext } from '../../context/context.ts';
import { checkCanary } from './canary-evidence.ts';
import { checkHosts, checkInstances } from './host-evidence.ts';
import { checkCapacity, probeReachability, probeWorkload } from './host-probes.ts';
import { checkManagers } from './managers.ts';
import { kept, type Watch } from './watch.ts';

type Look = (context: StageContext, watch: Watch) => Promise<Evidence>;

/** In the order of `evidenceKinds`; `observe` has its own place, after the production tags. */
const chain: readonly (readonly [EvidenceKind, Look])[] = [
  ['instance', checkInstances],
  ['manager', checkManagers],
  ['host', checkHosts],
  ['workload', probeWorkload],
  ['capacity', checkCapacity],
  ['reachability', probeReachability],
];

/** One look along the chain of evidence; what comes later is only asked once what comes first is there. */
export async function checkEvidence(
  context: StageContext,
  watch: Watch,
): Promise<readonly Evidence[]> {
  const { evidence: requirements } = context.settings.healthcheck;
  const evidence: Evidence[] = [];
  for (const [kind, ask] of chain) {
    const requirement = requirements[kind];
    // Hosts and managers are needed to judge the canary, also where they are no evidence of their own.
    if (requirement === 'off' && kind !== 'instance' && kind !== 'manager') continue;
    const one = await kept(context, watch, { kind, ask: () => ask(context, watch) });
    if (requirement === 'off') continue;
    evidence.push(one);
    if (one.state !== 'good' && requirement === 'required') return evidence;
  }
  if (requirements.canary !== 'off') evidence.push(await checkCanary(context, watch));
  return evidence;
}
