import { pollOf } from '../../domain/bake/latency.ts';
import type { BakeSettings, BakeSignals } from '../../domain/settings.ts';
import { type ResolvedKeys, readKnownKey } from '../resolve.ts';
import { hasEvidenceToRepeat } from '../rules/bake-rules.ts';

export function buildBake(keys: ResolvedKeys): BakeSettings {
  const watched = readKnownKey(keys, 'bake.for');
  const times = {
    ...(watched === 'none' ? {} : { forMs: watched }),
    atMostMs: readKnownKey(keys, 'bake.at_most'),
  };
  const signals = buildSignals(keys);
  return {
    ...times,
    jobs: isLeftToGitHub(keys) ? 0 : readKnownKey(keys, 'bake.jobs'),
    pollMs: pollOf({ ...times, pollMs: readKnownKey(keys, 'bake.poll'), signals }),
    rates: {
      baseline: readKnownKey(keys, 'bake.faults.baseline'),
      alpha: readKnownKey(keys, 'bake.faults.alpha'),
    },
    signals,
    onUnhealthy: keys.get('bake.on_unhealthy') ?? (watched === 'none' ? 'off' : 'rollback'),
    onInconclusive: readKnownKey(keys, 'bake.on_inconclusive'),
  };
}

/** GitHub does not list what a runner has finished. */
function isLeftToGitHub(keys: ResolvedKeys): boolean {
  return readKnownKey(keys, 'runners') === 'github' && keys.rankOf('bake.jobs') === 0;
}

function buildSignals(keys: ResolvedKeys): BakeSignals {
  const isGitHub = readKnownKey(keys, 'runners') === 'github';
  const starvation = isGitHub ? 'none' : readKnownKey(keys, 'bake.signals.starvation');
  const webhookUrl = keys.get('bake.signals.webhook.url');
  return {
    health: keys.get('bake.signals.health') ?? (hasEvidenceToRepeat(keys) ? 'required' : 'off'),
    canary:
      keys.get('bake.signals.canary') ??
      (readKnownKey(keys, 'canary.kind') === 'off' ? 'off' : 'required'),
    failures: keys.get('bake.signals.failures') ?? (isGitHub ? 'off' : 'report'),
    ...(starvation === 'none' ? {} : { starvationMs: starvation }),
    prometheus: readKnownKey(keys, 'bake.signals.prometheus').map(
      ({ query, url, above, for: forMs, use }) => ({
        query,
        url: url.replace(/\/+$/, ''),
        above,
        forMs,
        use,
      }),
    ),
    cloudwatchAlarms: readKnownKey(keys, 'bake.signals.cloudwatch_alarms'),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  };
}
