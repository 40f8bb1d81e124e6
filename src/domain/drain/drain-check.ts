import type { CountedJobs } from '../deployment/tally.ts';
import type { Execution, JobSight, RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import { counted } from '../text/count-text.ts';
import { judgeByHosts } from './drain-by-hosts.ts';
import { judgeWithoutHosts } from './drain-without-hosts.ts';
import { type OtherRunner, whyOthersAreBusy } from './foreign-runner.ts';
import { listStatuses, nameFirstJob } from './job-text.ts';
import { judgeBusy, type RegistryOnly } from './registry-only.ts';
import { streakStart } from './streak.ts';

/** One check of a paused shard: the responses of the registry and of the hosts. */
export interface DrainObservation {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** `gone`: the registry returned 404 to a token that may read runners. */
  readonly registration:
    | { readonly kind: 'seen'; readonly paused: boolean; readonly execution: Execution }
    | { readonly kind: 'gone' };
  /** Includes the jobs of `others`. */
  readonly jobs: readonly RegistryJob[];
  readonly others?: readonly OtherRunner[];
  /** How much an empty job list proves; read only if the hosts alone do not settle the drain. */
  readonly sight?: JobSight;
  readonly hosts: readonly HostReading[];
  /** Whether every host is proven not to exist, by the hosts' list and by the infrastructure. */
  readonly hostsGone: boolean;
  /** Systems Manager responded without any host, and the infrastructure cannot be queried. */
  readonly noHostListed?: boolean;
  /** Systems Manager and EC2 responded, and neither lists a machine of the shard. */
  readonly noMachineListed?: true;
  /** EC2's report on machines, if no host is listed and the machines are not proven gone. */
  readonly machines?: string;
}

export type HostReading =
  | { readonly kind: 'jobs'; readonly host: string; readonly count: number }
  /** The process has ended and nothing starts it again: it can take no job. */
  | { readonly kind: 'stopped'; readonly host: string }
  | { readonly kind: 'silent'; readonly host: string; readonly reason: string };

export type DrainVerdict =
  | { readonly kind: 'drained'; readonly reason: string; readonly lost: readonly RegistryJob[] }
  | { readonly kind: 'reopened'; readonly reason: string }
  /** No source is left that could prove that no job runs. */
  | { readonly kind: 'blind'; readonly reason: string }
  | {
      readonly kind: 'busy';
      readonly reason: string;
      readonly jobs: readonly RegistryJob[];
      /** No host has reported a job: the proof that none runs is missing. */
      readonly unproven?: true;
      readonly registryOnly?: RegistryOnly;
      /** Another unpaused runner has the shard's description, and nothing else keeps it busy. */
      readonly byOther?: true;
    }
  | {
      readonly kind: 'confirming';
      readonly reason: string;
      readonly forMs: number;
      /** Time from the first idle check to the last one, in one run. */
      readonly neededMs: number;
    };

export interface DrainRules {
  readonly words: RegistryTerms;
  readonly idleSource: 'counts' | 'proves_nothing';
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  readonly managers?: number; // 1 if absent.
  readonly counted?: CountedJobs | undefined; // By earlier drains.
}

type ConfirmationRules = Pick<DrainRules, 'pollOfRunnerMs' | 'confirmationMs'>;

// Every few minutes, GitLab searches for jobs that it must end itself.
const hiddenMarginMs = 300_000;
const usualHiddenMs = 3_600_000;

/** Decides a drain. `looks` are in order of time: the last one decides, earlier ones confirm. */
export function judgeDrain(checks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = checks.at(-1);
  if (last === undefined)
    return {
      kind: 'confirming',
      reason: 'not checked yet',
      forMs: rules.confirmationMs,
      neededMs: rules.confirmationMs,
    };
  if (last.registration.kind === 'seen' && !last.registration.paused) {
    return {
      kind: 'reopened',
      reason: `the ${rules.words.registration} is not ${rules.words.paused}`,
    };
  }
  if (last.hostsGone) return judgeWithoutHosts(checks);
  const isEnded = last.hosts.length > 0 && last.hosts.every(({ kind }) => kind === 'stopped');
  if (rules.idleSource === 'proves_nothing' && !isEnded && !isBlind(last))
    return judgeByHosts(checks, rules);
  const busy = whyBusy(last, rules.words);
  if (busy !== undefined && !(isEnded && rules.idleSource === 'proves_nothing'))
    return judgeBusy(checks, busy, rules);
  if (isEnded) {
    const rest = busy === undefined ? ' and no job is left' : `, which decides, although ${busy}`;
    return { kind: 'drained', reason: `every runner process has ended${rest}`, lost: [] };
  }
  if (isBlind(last) || isSightless(last)) return judgeBlindTime(checks, rules);
  return judgeIdleTime(checks, rules);
}

/** Returns whether the job list may be incomplete, without a job count or a host report. */
function isSightless(check: DrainObservation): boolean {
  return (
    check.registration.kind === 'seen' &&
    !hostsSpeak(check) &&
    check.sight?.list !== 'whole' &&
    executionIn(check) !== 'idle'
  );
}

/** Returns whether a job that this token cannot see may run: the registry does not exclude it. */
function isUnsaid(check: DrainObservation): boolean {
  const isListed = check.sight?.list === 'whole';
  return check.registration.kind === 'seen' && !isListed && executionIn(check) === 'unknown';
}

function executionIn({ registration, sight }: DrainObservation): Execution {
  const word = registration.kind === 'seen' ? registration.execution : 'unknown';
  return word === 'unknown' ? (sight?.execution ?? 'unknown') : word;
}

function isBlind(check: DrainObservation): boolean {
  return check.registration.kind === 'gone' && !hostsSpeak(check) && check.noHostListed !== true;
}

/** Waits before the verdict `blind`: a host without a response may respond again. */
function judgeBlindTime(checks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = checks.at(-1) as DrainObservation;
  const words = last.hosts.flatMap((word) =>
    word.kind === 'silent' ? [`${word.host}: ${word.reason}`] : [],
  );
  const seen = [...words, ...(last.machines === undefined ? [] : [last.machines])].join('; ');
  const noResponse =
    last.registration.kind === 'gone'
      ? `the runner no longer exists${last.machines === undefined ? ', and no host responds' : ''}`
      : `no host responds, this ${rules.words.registry} does not report whether jobs run, and ${last.sight?.reason ?? 'the token lists no job'}`;
  const reason = seen === '' ? noResponse : `${noResponse}; ${seen}`;
  const since = streakStart(checks, (check) => isBlind(check) || isSightless(check));
  if (last.at - since >= confirmationOf(rules)) return { kind: 'blind', reason };
  return {
    kind: 'busy',
    reason: `${reason}; no source confirms that its jobs have ended`,
    jobs: [],
  };
}

function judgeIdleTime(checks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = checks.at(-1) as DrainObservation;
  const { evidence, counts, neededMs } = chooseWitness(last, rules);
  const idleMs = last.at - firstOfIdleRun(checks, counts, rules.words);
  if (idleMs >= neededMs) {
    return { kind: 'drained', reason: `${evidence} (for ${Math.round(idleMs / 1000)}s)`, lost: [] };
  }
  return {
    kind: 'confirming',
    reason: `${evidence}; another check must confirm it`,
    forMs: neededMs - idleMs,
    neededMs,
  };
}

/** Chooses the deciding source, the earlier checks that confirm it, and the time they must span. */
function chooseWitness(last: DrainObservation, rules: DrainRules) {
  const aloneMs = confirmationOf(rules);
  if (hostsSpeak(last) && isUnsaid(last)) {
    const evidence = `every host reports no job, and ${rules.words.registry} lists none, but does not report jobs that this token cannot see`;
    return { evidence, counts: hostsSpeak, neededMs: aloneMs };
  }
  if (hostsSpeak(last)) {
    const { registry, registration } = rules.words;
    const evidence =
      last.registration.kind === 'gone'
        ? `every host reports no job, and ${registry} no longer has the ${registration}`
        : `${registry} and every host report no job`;
    return { evidence, counts: hostsSpeak, neededMs: rules.pollOfRunnerMs };
  }
  if (last.registration.kind === 'gone') {
    return {
      evidence: 'no runner exists, and Systems Manager lists no host',
      counts: ({ registration, noHostListed }: DrainObservation) =>
        registration.kind === 'gone' && noHostListed === true,
      neededMs: aloneMs,
    };
  }
  const evidence = `only ${rules.words.registry} reports that no job is left${missingWitness(last)}`;
  if (last.sight?.list === 'whole') return { evidence, counts: () => true, neededMs: aloneMs };
  // A list alone misses a job in its `after_script`: the wait must outlast such a job.
  return {
    evidence: `${evidence}, and ${last.sight?.reason ?? 'the token lists no job'}`,
    counts: () => true,
    neededMs: confirmationAlone(last.sight, rules),
  };
}

function missingWitness({ hosts }: DrainObservation): string {
  const unresponsive = hosts.find(({ kind }) => kind === 'silent');
  return unresponsive?.kind === 'silent' ? ` (${unresponsive.host}: ${unresponsive.reason})` : '';
}

/** Returns how long the registry alone must report no job within one run, as gaps hide jobs. */
export function confirmationAlone(sight: JobSight | undefined, rules: ConfirmationRules): number {
  if (sight?.list === 'whole') return confirmationOf(rules);
  return Math.max(confirmationOf(rules), (sight?.hiddenMs ?? usualHiddenMs) + hiddenMarginMs);
}

function confirmationOf({ confirmationMs, pollOfRunnerMs }: ConfirmationRules): number {
  return Math.max(confirmationMs, pollOfRunnerMs);
}

function hostsSpeak({ hosts }: DrainObservation): boolean {
  return hosts.length > 0 && hosts.every(({ kind }) => kind !== 'silent');
}

function firstOfIdleRun(
  checks: readonly DrainObservation[],
  counts: (check: DrainObservation) => boolean,
  words: RegistryTerms,
): number {
  return streakStart(checks, (check) => {
    const paused = check.registration.kind === 'gone' || check.registration.paused;
    return paused && whyBusy(check, words) === undefined && counts(check);
  });
}

export function whyBusy(check: DrainObservation, words: RegistryTerms): string | undefined {
  const others = whyOthersAreBusy(check.others, words);
  if (others !== undefined) return others;
  if (check.jobs.length > 0) {
    return `${nameFirstJob(check.jobs)} ${check.jobs.length > 1 ? 'are' : 'is'} ${listStatuses(check.jobs)}`;
  }
  if (check.registration.kind === 'seen' && executionIn(check) === 'active') {
    return `${words.registry} reports that the ${words.registration} runs a job that this token cannot see`;
  }
  for (const host of check.hosts) {
    if (host.kind === 'jobs' && host.count > 0)
      return `host ${host.host} reports ${counted(host.count, 'job')}`;
  }
  return undefined;
}
