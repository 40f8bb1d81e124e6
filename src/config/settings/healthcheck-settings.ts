import { type EvidenceKind, evidenceKinds } from '../../domain/health/evidence.ts';
import type { HealthcheckSettings, Requirement } from '../../domain/settings.ts';
import { type ResolvedKeys, readKnownKey } from '../resolve.ts';

export function buildHealthcheck(keys: ResolvedKeys): HealthcheckSettings {
  const image = readKnownKey(keys, 'healthcheck.workload_image');
  return {
    timeoutMs: readKnownKey(keys, 'healthcheck.timeout'),
    evidence: buildRequirements(keys),
    timeoutsMs: buildTimeouts(keys),
    successes: readKnownKey(keys, 'healthcheck.successes'),
    idleWorkers: readKnownKey(keys, 'healthcheck.idle_workers'),
    reach: readKnownKey(keys, 'healthcheck.reach'),
    observeJobs: readKnownKey(keys, 'healthcheck.observe_jobs'),
    ...(image === 'none' ? {} : { workloadImage: image }),
    evidenceMaxAgeMs: readKnownKey(keys, 'healthcheck.evidence_max_age'),
    pollMs: readKnownKey(keys, 'healthcheck.poll'),
  };
}

function buildRequirements(keys: ResolvedKeys): HealthcheckSettings['evidence'] {
  const ofHost = readKnownKey(keys, 'host.access') === 'none' ? 'optional' : 'required';
  const ofCanary = readKnownKey(keys, 'canary.kind') === 'off' ? 'off' : 'required';
  const evidence = (kind: EvidenceKind, otherwise: Requirement) =>
    keys.get(`healthcheck.evidence.${kind}`) ?? otherwise;
  return {
    instance: evidence('instance', ofHost),
    manager: evidence('manager', 'required'),
    host: evidence('host', ofHost),
    workload: evidence('workload', 'off'),
    capacity: evidence(
      'capacity',
      readKnownKey(keys, 'healthcheck.idle_workers') > 0 ? 'required' : 'off',
    ),
    reachability: evidence(
      'reachability',
      readKnownKey(keys, 'healthcheck.reach').length > 0 ? 'required' : 'off',
    ),
    canary: evidence('canary', ofCanary),
    observe: evidence('observe', 'off'),
  };
}

function buildTimeouts(keys: ResolvedKeys): HealthcheckSettings['timeoutsMs'] {
  const timeouts: Partial<Record<EvidenceKind, number>> = {};
  for (const kind of evidenceKinds) {
    const value = readKnownKey(keys, `healthcheck.timeouts.${kind}`);
    if (value !== 'none') timeouts[kind] = value;
  }
  return timeouts;
}
