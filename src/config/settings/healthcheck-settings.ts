import { type EvidenceKind, evidenceKinds } from '../../domain/health/evidence.ts';
import type { HealthcheckSettings, Requirement } from '../../domain/settings.ts';
import { type ResolvedKeys, read } from '../resolve.ts';

export function buildHealthcheck(keys: ResolvedKeys): HealthcheckSettings {
  const image = read(keys, 'healthcheck.workload_image');
  return {
    timeoutMs: read(keys, 'healthcheck.timeout'),
    evidence: buildRequirements(keys),
    timeoutsMs: buildTimeouts(keys),
    successes: read(keys, 'healthcheck.successes'),
    idleWorkers: read(keys, 'healthcheck.idle_workers'),
    reach: read(keys, 'healthcheck.reach'),
    observeJobs: read(keys, 'healthcheck.observe_jobs'),
    ...(image === 'none' ? {} : { workloadImage: image }),
    evidenceMaxAgeMs: read(keys, 'healthcheck.evidence_max_age'),
    pollMs: read(keys, 'healthcheck.poll'),
  };
}

function buildRequirements(keys: ResolvedKeys): HealthcheckSettings['evidence'] {
  const ofHost = read(keys, 'host.access') === 'none' ? 'optional' : 'required';
  const ofCanary = read(keys, 'canary.kind') === 'off' ? 'off' : 'required';
  const evidence = (kind: EvidenceKind, otherwise: Requirement) =>
    keys.get(`healthcheck.evidence.${kind}`) ?? otherwise;
  return {
    instance: evidence('instance', ofHost),
    manager: evidence('manager', 'required'),
    host: evidence('host', ofHost),
    workload: evidence('workload', 'off'),
    capacity: evidence('capacity', read(keys, 'healthcheck.idle_workers') > 0 ? 'required' : 'off'),
    reachability: evidence(
      'reachability',
      read(keys, 'healthcheck.reach').length > 0 ? 'required' : 'off',
    ),
    canary: evidence('canary', ofCanary),
    observe: evidence('observe', 'off'),
  };
}

function buildTimeouts(keys: ResolvedKeys): HealthcheckSettings['timeoutsMs'] {
  const timeouts: Partial<Record<EvidenceKind, number>> = {};
  for (const kind of evidenceKinds) {
    const value = read(keys, `healthcheck.timeouts.${kind}`);
    if (value !== 'none') timeouts[kind] = value;
  }
  return timeouts;
}
