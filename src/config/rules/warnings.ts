import { isLoopback } from '../../domain/loopback.ts';
import type { BakeSignals, StackSettings } from '../../domain/settings.ts';
import { formatDuration } from '../../domain/text/duration.ts';

/** For so long at most GitLab and GitHub hold the request of an idle runner. */
const longPollMs = 50_000;

/** What is allowed and yet worth a line in every log. */
export function findWarnings(settings: StackSettings): string[] {
  const { runnerName, drain, healthcheck } = settings;
  const warnings: string[] = [];
  // Its own runners have no long poll.
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
        `${runnerName}: drain.poll_of_runner is below the 50s of a long poll; a runner that long-polls can take a job after it.`,
      );
  } else if (settings.github !== undefined && drain.pollOfRunnerMs <= 61_000) {
    warnings.push(
      `${runnerName}: drain.poll_of_runner is not above the 61s after which GitHub gives a job once more that was not picked up; a runner can be given one after it.`,
    );
  }
  const pollEveryMs = Math.min(drain.pollOfRunnerMs, longPollMs);
  if (healthcheck.evidenceMaxAgeMs < pollEveryMs && !isSandbox) {
    const [age, every] = [healthcheck.evidenceMaxAgeMs, pollEveryMs].map(formatDuration);
    warnings.push(
      `${runnerName}: healthcheck.evidence_max_age is ${age}, and an idle runner asks every ${every}: only a job or a canary is young enough to prove that its shard serves.`,
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
    warnings.push(`${runnerName}: ${names}: given, but bake.for is none, so nobody asks.`);
  }
  const { forMs, signals } = settings.bake;
  const isProtected = settings.registration.accessLevel === 'ref_protected';
  if (forMs !== undefined && signals.starvationMs !== undefined && isProtected) {
    warnings.push(
      `${runnerName}: bake.signals.starvation: given, but registration.access_level is ref_protected, and a job does not say whether its branch is protected: where jobs wait the bake ends inconclusive.`,
    );
  }
  return warnings;
}

/** Those that no default gives. */
function givenSignals(signals: BakeSignals): string[] {
  return [
    ...(signals.starvationMs === undefined ? [] : ['starvation']),
    ...(signals.prometheus.length === 0 ? [] : ['prometheus']),
    ...(signals.cloudwatchAlarms.length === 0 ? [] : ['cloudwatch_alarms']),
    ...(signals.webhookUrl === undefined ? [] : ['webhook.url']),
  ];
}
