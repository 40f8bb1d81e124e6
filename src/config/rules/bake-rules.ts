import { formatDuration } from '../../domain/text/duration.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';

/** Finds settings that a bake could not meet or query. */
export function bakeRules(keys: ResolvedKeys): Problem[] {
  return [...timeRules(keys), ...signalRules(keys), ...verdictRules(keys)];
}

function timeRules(keys: ResolvedKeys): Problem[] {
  const watched = keys.get('bake.for');
  const atMost = keys.get('bake.at_most');
  const action = keys.get('bake.on_unhealthy');
  const problems: Problem[] = [];
  if (watched !== undefined && atMost !== undefined && atMost < watched) {
    const text = `${formatDuration(atMost)} is shorter than bake.for (${formatDuration(watched)}); write bake.for or more`;
    problems.push(keys.problem('bake.at_most', text));
  }
  if (keys.isRefused('bake.for')) return problems;
  if (watched !== undefined && action === 'off') {
    if (keys.isMeant('bake.on_unhealthy', 'bake.for')) {
      const text =
        'off, but bake.for is set, so the bake would have no effect; write report, hold or rollback';
      problems.push(keys.problem('bake.on_unhealthy', text));
    }
  }
  const needsTime = action === 'hold' || action === 'rollback';
  if (watched === undefined && needsTime && keys.isMeant('bake.on_unhealthy', 'bake.for')) {
    const text = `${action} needs bake.for, the duration of the bake; write bake.for: 30m`;
    problems.push(keys.problem('bake.on_unhealthy', text));
  }
  return problems;
}

function signalRules(keys: ResolvedKeys): Problem[] {
  const problems: Problem[] = [];
  if (keys.get('bake.signals.canary') === 'required' && keys.get('canary.kind') === 'off') {
    const text = 'required, but canary.kind is off, so there is no canary to run; write off';
    problems.push(keys.problem('bake.signals.canary', text));
  }
  if (keys.get('bake.signals.health') === 'required' && !hasEvidenceToRepeat(keys)) {
    const text =
      'required, but every kind of evidence except canary and observe is off, so there is nothing to check; write off';
    problems.push(keys.problem('bake.signals.health', text));
  }
  if (keys.get('runners') === 'github') {
    const jobs = keys.get('bake.jobs');
    if (jobs !== undefined && jobs > 0 && keys.rankOf('bake.jobs') > 0) {
      const text = `${jobs}, but GitHub does not list the finished jobs of a runner; write 0`;
      problems.push(keys.problem('bake.jobs', text));
    }
    const failures = keys.get('bake.signals.failures');
    if (failures !== undefined && failures !== 'off') {
      const text = `${failures}, but GitHub does not report whether a job's script or its runner failed; write off`;
      problems.push(keys.problem('bake.signals.failures', text));
    }
    const starvation = keys.get('bake.signals.starvation');
    if (starvation !== undefined) {
      const text =
        'GitHub lists waiting jobs only for one workflow run at a time, so a check proves nothing; write none: a canary detects a shard that starts no job';
      problems.push(keys.problem('bake.signals.starvation', text));
    }
  }
  return problems;
}

/**
 * Refuses a bake without a deciding signal: GitHub does not list the finished jobs of a runner.
 */
function verdictRules(keys: ResolvedKeys): Problem[] {
  const watched = keys.get('bake.for');
  if (keys.get('runners') !== 'github' || watched === undefined) return [];
  const health =
    keys.get('bake.signals.health') ?? (hasEvidenceToRepeat(keys) ? 'required' : 'off');
  const decides =
    health === 'required' ||
    canaryUse(keys) === 'required' ||
    (keys.get('bake.signals.prometheus') ?? []).some(({ use }) => use === 'required') ||
    (keys.get('bake.signals.cloudwatch_alarms') ?? []).length > 0 ||
    keys.get('bake.signals.webhook.url') !== undefined;
  if (decides) return [];
  const text = `${formatDuration(watched)}, but no signal is required, and GitHub does not list the finished jobs of a runner, so the bake could reach no verdict; write bake.signals.health: required, or none here`;
  return [keys.problem('bake.for', text)];
}

function canaryUse(keys: ResolvedKeys) {
  return (
    keys.get('bake.signals.canary') ?? (keys.get('canary.kind') === 'off' ? 'off' : 'required')
  );
}

const repeated = ['instance', 'manager', 'host', 'workload', 'capacity', 'reachability'] as const;

/** Returns whether a check without a canary proves anything. */
export function hasEvidenceToRepeat(keys: ResolvedKeys): boolean {
  const isLeftToDefault = (kind: (typeof repeated)[number]) =>
    keys.get(`healthcheck.evidence.${kind}`) === undefined && ['instance', 'host'].includes(kind);
  return repeated.some((kind) => {
    const requirement = keys.get(`healthcheck.evidence.${kind}`);
    return requirement === 'required' || requirement === 'optional' || isLeftToDefault(kind);
  });
}
