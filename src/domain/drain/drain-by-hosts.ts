import { counted } from '../text/count-text.ts';
import type { DrainObservation, DrainRules, DrainVerdict, HostReading } from './drain-check.ts';
import { streakStart } from './streak.ts';

/**
 * GitHub ends a job whose runner has not reported for ten minutes. The drain waits this long if
 * GitHub reports a runner as busy and its host has no job. `busy` may be stuck, or the job may
 * still be on its way.
 */
const stuckMs = 600_000;

/**
 * Decides a drain if the registry's report of no job proves nothing. Every host must report no job,
 * on checks at least one redelivery apart. The registry can only lengthen the wait.
 */
export function judgeByHosts(checks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = checks.at(-1) as DrainObservation;
  const working = last.hosts.find(runsJobs);
  if (working?.kind === 'jobs') {
    const reason = `host ${working.host} reports ${counted(working.count, 'job')}`;
    return { kind: 'busy', reason, jobs: last.jobs };
  }
  const missing = findMissingHosts(last, rules);
  if (missing !== undefined)
    return { kind: 'busy', reason: missing, jobs: last.jobs, unproven: true };
  const { evidence, neededMs } = chooseWait(last, rules);
  const idleMs = last.at - firstOfIdleRun(checks);
  if (idleMs >= neededMs) {
    return { kind: 'drained', reason: `${evidence} (for ${Math.round(idleMs / 1000)}s)`, lost: [] };
  }
  const reason = `${evidence}; another check must confirm it`;
  return { kind: 'confirming', reason, forMs: neededMs - idleMs, neededMs };
}

function findMissingHosts(check: DrainObservation, { words }: DrainRules): string | undefined {
  if (speaks(check)) return undefined;
  const unresponsive = check.hosts.find(({ kind }) => kind === 'silent');
  const noHost = check.machines === undefined ? 'no host is queried' : check.machines;
  const who =
    unresponsive?.kind === 'silent'
      ? `host ${unresponsive.host} does not respond (${unresponsive.reason})`
      : noHost;
  return `${who}, and ${words.registry}'s report of no running job proves nothing`;
}

function chooseWait(last: DrainObservation, rules: DrainRules) {
  const { registry, registration } = rules.words;
  const isReportedBusy =
    last.jobs.length > 0 ||
    (last.registration.kind === 'seen' && last.registration.execution === 'active');
  if (last.hosts.length === 0) {
    const evidence = `neither Systems Manager nor EC2 lists a host, and ${registry} lists no job`;
    return {
      evidence,
      neededMs: Math.max(rules.confirmationMs, rules.pollOfRunnerMs, longer(rules)),
    };
  }
  if (isReportedBusy) {
    const evidence = `every host reports no job, but ${registry} reports the ${registration} as busy`;
    return { evidence, neededMs: longer(rules) };
  }
  return { evidence: 'every host reports no job', neededMs: rules.pollOfRunnerMs };
}

/** Returns the longer wait; 0 if one check suffices, because no customer job was ever assigned. */
function longer({ pollOfRunnerMs, confirmationMs }: DrainRules): number {
  return pollOfRunnerMs === 0 ? 0 : Math.max(stuckMs, pollOfRunnerMs, confirmationMs);
}

function speaks({ hosts, noMachineListed }: DrainObservation): boolean {
  if (hosts.length === 0) return noMachineListed === true;
  return hosts.every(({ kind }) => kind !== 'silent');
}

function firstOfIdleRun(checks: readonly DrainObservation[]): number {
  return streakStart(checks, (check) => {
    const paused = check.registration.kind === 'gone' || check.registration.paused;
    return paused && !check.hosts.some(runsJobs) && speaks(check);
  });
}

/** Returns whether the host reports a running job. */
export function runsJobs(word: HostReading): boolean {
  return word.kind === 'jobs' && word.count > 0;
}

/** Returns whether the host reports that it runs no job. */
export function reportsNone(word: HostReading): boolean {
  return word.kind === 'stopped' || (word.kind === 'jobs' && word.count === 0);
}
