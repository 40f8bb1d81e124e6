import { counted } from '../text/count-text.ts';
import type { DrainObservation, DrainRules, DrainVerdict, HostReading } from './drain-check.ts';
import { streakStart } from './streak.ts';

/**
 * GitHub ends a job whose runner is silent after ten minutes. So long is waited where it calls a runner
 * busy whose host has no job: `busy` may be stuck, or the job may be on its way still.
 */
const stuckMs = 600_000;

/**
 * Where the registry's own word proves nothing, every host has to say that it has no job, on looks at
 * least one redelivery apart. What the registry says can only make the wait longer.
 */
export function judgeByHosts(looks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = looks.at(-1) as DrainObservation;
  const working = last.hosts.find(runsJobs);
  if (working?.kind === 'jobs') {
    const reason = `host ${working.host} says that it runs ${counted(working.count, 'job')}`;
    return { kind: 'busy', reason, jobs: last.jobs };
  }
  const missing = findMissingHosts(last, rules);
  if (missing !== undefined)
    return { kind: 'busy', reason: missing, jobs: last.jobs, unproven: true };
  const { says, neededMs } = chooseWait(last, rules);
  const idleMs = last.at - firstOfIdleRun(looks);
  if (idleMs >= neededMs) {
    return { kind: 'drained', reason: `${says}, for ${Math.round(idleMs / 1000)}s`, lost: [] };
  }
  const reason = `${says}; seen again before it counts`;
  return { kind: 'confirming', reason, forMs: neededMs - idleMs, neededMs };
}

function findMissingHosts(look: DrainObservation, { words }: DrainRules): string | undefined {
  if (speaks(look)) return undefined;
  const silent = look.hosts.find(({ kind }) => kind === 'silent');
  const nobody = look.machines === undefined ? 'no host is asked' : look.machines;
  const who =
    silent?.kind === 'silent' ? `host ${silent.host} does not say (${silent.reason})` : nobody;
  return `${who}, and ${words.registry}'s own word that no job runs proves nothing`;
}

function chooseWait(last: DrainObservation, rules: DrainRules) {
  const { registry, registration } = rules.words;
  const isReportedBusy =
    last.jobs.length > 0 ||
    (last.registration.kind === 'seen' && last.registration.execution === 'active');
  if (last.hosts.length === 0) {
    const says = `neither Systems Manager nor EC2 knows a host, and ${registry} lists no job`;
    return { says, neededMs: Math.max(rules.confirmationMs, rules.pollOfRunnerMs, longer(rules)) };
  }
  if (isReportedBusy) {
    const says = `every host says that no job is left, and ${registry} calls the ${registration} busy`;
    return { says, neededMs: longer(rules) };
  }
  return { says: 'every host says that no job is left', neededMs: rules.pollOfRunnerMs };
}

/** Where one look is enough, no customer's job was ever matched. */
function longer({ pollOfRunnerMs, confirmationMs }: DrainRules): number {
  return pollOfRunnerMs === 0 ? 0 : Math.max(stuckMs, pollOfRunnerMs, confirmationMs);
}

function speaks({ hosts, noMachineListed }: DrainObservation): boolean {
  if (hosts.length === 0) return noMachineListed === true;
  return hosts.every(({ kind }) => kind !== 'silent');
}

function firstOfIdleRun(looks: readonly DrainObservation[]): number {
  return streakStart(looks, (look) => {
    const paused = look.registration.kind === 'gone' || look.registration.paused;
    return paused && !look.hosts.some(runsJobs) && speaks(look);
  });
}

/** Whether the host says itself that a job runs there. */
export function runsJobs(word: HostReading): boolean {
  return word.kind === 'jobs' && word.count > 0;
}

/** Whether the host reports that it runs no job. */
export function reportsNone(word: HostReading): boolean {
  return word.kind === 'stopped' || (word.kind === 'jobs' && word.count === 0);
}
