import type { Evidence, EvidenceKind } from '../../../domain/health/evidence.ts';
import type { StageContext } from '../../context/context.ts';
import { checkCanary } from './canary-evidence.ts';
import { checkHosts, checkInstances } from './host-evidence.ts';
import { checkCapacity, probeReachability, probeWorkload } from './host-probes.ts';
import { checkManagers } from './managers.ts';
import { kept, type Watch } from './watch.ts';

type EvidenceCheck = (context: StageContext, watch: Watch) => Promise<Evidence>;

/** Checks in the order of `evidenceKinds`, except `observe`, which needs production tags. */
const chain: readonly (readonly [EvidenceKind, EvidenceCheck])[] = [
  ['instance', checkInstances],
  ['manager', checkManagers],
  ['host', checkHosts],
  ['workload', probeWorkload],
  ['capacity', checkCapacity],
  ['reachability', probeReachability],
];

/** Checks the chain of evidence once. A later kind is read only if the earlier ones are good. */
export async function checkEvidence(
  context: StageContext,
  watch: Watch,
): Promise<readonly Evidence[]> {
  const { evidence: requirements } = context.settings.healthcheck;
  const evidence: Evidence[] = [];
  for (const [kind, check] of chain) {
    const requirement = requirements[kind];
    // The canary's verdict needs hosts and managers even if they are not required as evidence.
    if (requirement === 'off' && kind !== 'instance' && kind !== 'manager') continue;
    const one = await kept(context, watch, { kind, check: () => check(context, watch) });
    if (requirement === 'off') continue;
    evidence.push(one);
    if (one.state !== 'good' && requirement === 'required') return evidence;
  }
  if (requirements.canary !== 'off') evidence.push(await checkCanary(context, watch));
  return evidence;
}
