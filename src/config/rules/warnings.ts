import { isLoopback } from '../../domain/loopback.ts';
import type { BakeSignals, StackSettings } from '../../domain/settings.ts';
import { formatDuration } from '../../domain/text/duration.ts';

/** Longest time for which GitLab and GitHub hold the request of an idle runner. */
const longPollMs = 50_000;

/** Lists permitted settings that deserve a line in every log. */
export function findWarnings(settings: StackSettings): string[] {
  const { runnerName, drain, healthcheck } = settings;
  const warnings: string[] = [];
  // The sandbox's runners have no long poll.
  const isSandbox = isLoopback(new URL(settings.gitlabUrl).hostname);
  if (drain.forceAfterMs !== undefined) {
    const after = formatDuration(drain.forceAfterMs);
    warnings.push(
      `${runnerName}: drain.force_after is set: jobs still running after ${after} are killed.`,
    );
  }
  if (drain.pollOfRunnerMs < longPollMs) {
    if (!isSandbox)
      warnings.push(
        `${runnerName}: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.`,
      );
  } else if (settings.github !== undefined && drain.pollOfRunnerMs <= 61_000) {
    warnings.push(
      `${runnerName}: drain.poll_of_runner must exceed 61s: after 61s, GitHub assigns a job again that no runner picked up, and a runner can get it.`,
    );
  }
  const pollEveryMs = Math.min(drain.pollOfRunnerMs, longPollMs);
  if (healthcheck.evidenceMaxAgeMs < pollEveryMs && !isSandbox) {
    const [age, every] = [healthcheck.evidenceMaxAgeMs, pollEveryMs].map(formatDuration);
    warnings.push(
      `${runnerName}: healthcheck.evidence_max_age is ${age}, but an idle runner polls every ${every}: only a job or a canary is recent enough to verify its shard.`,
    );
  }
  if (healthcheck.evidence.canary !== 'required') {
    warnings.push(
      `${runnerName}: healthcheck.evidence.canary is ${healthcheck.evidence.canary}: a candidate can become active without having run a job.`,
    );
  }
  const unasked = settings.bake.forMs === undefined ? givenSignals(settings.bake.signals) : [];
  if (unasked.length > 0) {
    const names = unasked.map((name) => `bake.signals.${name}`).join(', ');
    warnings.push(`${runnerName}: ${names}: set, but bake.for is none, so no signal is read.`);
  }
  const { forMs, signals } = settings.bake;
  const isProtected = settings.registration.accessLevel === 'ref_protected';
  if (forMs !== undefined && signals.starvationMs !== undefined && isProtected) {
    warnings.push(
      `${runnerName}: bake.signals.starvation is set, but registration.access_level is ref_protected, and a job does not report whether its branch is protected: if jobs wait, the bake ends inconclusive.`,
    );
  }
  return warnings;
}

/** Lists signals that have no default. */
function givenSignals(signals: BakeSignals): string[] {
  return [
    ...(signals.starvationMs === undefined ? [] : ['starvation']),
    ...(signals.prometheus.length === 0 ? [] : ['prometheus']),
    ...(signals.cloudwatchAlarms.length === 0 ? [] : ['cloudwatch_alarms']),
    ...(signals.webhookUrl === undefined ? [] : ['webhook.url']),
  ];
}
