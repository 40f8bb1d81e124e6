import type { CountedJobs } from '../deployment/tally.ts';
import type { Execution, JobSight, RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import { counted } from '../text/count-text.ts';
import { judgeByHosts } from './drain-by-hosts.ts';
import { judgeWithoutHosts } from './drain-without-hosts.ts';
import { type OtherRunner, whyOthersAreBusy } from './foreign-runner.ts';
import { judgeBusy, type RegistryOnly } from './registry-only.ts';
import { streakStart } from './streak.ts';

/** One look at a shard whose intake is closed; both sources, with what they said. */
export interface DrainObservation {
  /** Milliseconds of the clock that never jumps. */
  readonly at: number;
  /** `gone`: the registry says 404 to a token that may read registrations. */
  readonly registration:
    | { readonly kind: 'seen'; readonly paused: boolean; readonly execution: Execution }
    | { readonly kind: 'gone' };
  /** Those of `others` as well. */
  readonly jobs: readonly RegistryJob[];
  readonly others?: readonly OtherRunner[];
  /** How far an empty list of jobs goes; asked where the hosts alone do not settle it. */
  readonly sight?: JobSight;
  readonly hosts: readonly HostReading[];
  /** Whether every host is proven not to exist, by the hosts' list and by the infrastructure. */
  readonly hostsGone: boolean;
  /** Systems Manager answered and names no host, and the infrastructure cannot be asked. */
  readonly noHostListed?: boolean;
  /** Systems Manager and EC2 answered, and neither knows a machine of the shard. */
  readonly noMachineListed?: true;
  /** Of machines by EC2's word, where no host is listed and they are not proven gone. */
  readonly machines?: string;
}

/** What one host says by itself. */
export type HostReading =
  | { readonly kind: 'jobs'; readonly host: string; readonly count: number }
  /** The process has ended and nothing starts it again: it can take no job. */
  | { readonly kind: 'stopped'; readonly host: string }
  | { readonly kind: 'silent'; readonly host: string; readonly reason: string };

export type DrainVerdict =
  | { readonly kind: 'drained'; readonly reason: string; readonly lost: readonly RegistryJob[] }
  | { readonly kind: 'reopened'; readonly reason: string }
  /** Nobody is left who could ever say that no job is left. */
  | { readonly kind: 'blind'; readonly reason: string }
  | {
      readonly kind: 'busy';
      readonly reason: string;
      readonly jobs: readonly RegistryJob[];
      /** No job was seen by a host: the proof that none runs is missing. */
      readonly unproven?: true;
      readonly registryOnly?: RegistryOnly;
      /** Another runner with the shard's description is open, and nothing else keeps it busy. */
      readonly byOther?: true;
    }
  /** Idle by what was seen so far; it has to be seen again. */
  | {
      readonly kind: 'confirming';
      readonly reason: string;
      readonly forMs: number;
      /** From the first look to the last one, all in one run. */
      readonly neededMs: number;
    };

export interface DrainRules {
  readonly words: RegistryTerms;
  /** Whether the registry's own word that no job runs counts where no host speaks. */
  readonly idleSource: 'counts' | 'proves_nothing';
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  readonly managers?: number; // 1 if absent.
  readonly counted?: CountedJobs | undefined; // By earlier drains.
}

type ConfirmationRules = Pick<DrainRules, 'pollOfRunnerMs' | 'confirmationMs'>;

// GitLab looks for jobs that it has to end by itself every few minutes.
const hiddenMarginMs = 300_000;
const usualHiddenMs = 3_600_000;

/** `looks` in the order of time; the last one decides, the ones before it confirm. */
export function judgeDrain(looks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = looks.at(-1);
  if (last === undefined)
    return {
      kind: 'confirming',
      reason: 'not looked at yet',
      forMs: rules.confirmationMs,
      neededMs: rules.confirmationMs,
    };
  if (last.registration.kind === 'seen' && !last.registration.paused) {
    return { kind: 'reopened', reason: `the registration is not ${rules.words.paused}` };
  }
  if (last.hostsGone) return judgeWithoutHosts(looks);
  const isEnded = last.hosts.length > 0 && last.hosts.every(({ kind }) => kind === 'stopped');
  if (rules.idleSource === 'proves_nothing' && !isEnded && !isBlind(last))
    return judgeByHosts(looks, rules);
  const busy = whyBusy(last, rules.words);
  if (busy !== undefined && !(isEnded && rules.idleSource === 'proves_nothing'))
    return judgeBusy(looks, busy, rules);
  if (isEnded) {
    const rest = busy === undefined ? ' and no job is left' : `, which decides, although ${busy}`;
    return { kind: 'drained', reason: `every runner process has ended${rest}`, lost: [] };
  }
  if (isBlind(last) || isSightless(last)) return judgeBlindTime(looks, rules);
  return judgeIdleTime(looks, rules);
}

/** The list may be empty because jobs are kept from us, nobody counts them, and no host speaks. */
function isSightless(look: DrainObservation): boolean {
  return (
    look.registration.kind === 'seen' &&
    !hostsSpeak(look) &&
    look.sight?.list !== 'whole' &&
    executionIn(look) !== 'idle'
  );
}

/** Whether a job could run there that this token is not shown, for all that the registry says. */
function isUnsaid(look: DrainObservation): boolean {
  const isListed = look.sight?.list === 'whole';
  return look.registration.kind === 'seen' && !isListed && executionIn(look) === 'unknown';
}

function executionIn({ registration, sight }: DrainObservation): Execution {
  const word = registration.kind === 'seen' ? registration.execution : 'unknown';
  return word === 'unknown' ? (sight?.execution ?? 'unknown') : word;
}

function isBlind(look: DrainObservation): boolean {
  return look.registration.kind === 'gone' && !hostsSpeak(look) && look.noHostListed !== true;
}

/** A host that is silent for a moment comes back; without a registration nobody else can speak for it. */
function judgeBlindTime(looks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = looks.at(-1) as DrainObservation;
  const words = last.hosts.flatMap((word) =>
    word.kind === 'silent' ? [`${word.host}: ${word.reason}`] : [],
  );
  const seen = [...words, ...(last.machines === undefined ? [] : [last.machines])].join('; ');
  const nobody =
    last.registration.kind === 'gone'
      ? 'the registration is gone and no host answers'
      : `no host answers, this ${rules.words.registry} does not say whether jobs run, and of the token it is known only that ${last.sight?.reason ?? 'it lists none'}`;
  const reason = seen === '' ? nobody : `${nobody} (${seen})`;
  const since = streakStart(looks, (look) => isBlind(look) || isSightless(look));
  if (last.at - since >= confirmationOf(rules)) return { kind: 'blind', reason };
  return { kind: 'busy', reason: `${reason}: nothing says that its jobs have ended`, jobs: [] };
}

function judgeIdleTime(looks: readonly DrainObservation[], rules: DrainRules): DrainVerdict {
  const last = looks.at(-1) as DrainObservation;
  const { says, counts, neededMs } = chooseWitness(last, rules);
  const idleMs = last.at - firstOfIdleRun(looks, counts, rules.words);
  if (idleMs >= neededMs) {
    return { kind: 'drained', reason: `${says}, for ${Math.round(idleMs / 1000)}s`, lost: [] };
  }
  return {
    kind: 'confirming',
    reason: `${says}; seen again before it counts`,
    forMs: neededMs - idleMs,
    neededMs,
  };
}

/** Who says that no job is left, which earlier looks say so too, and for how long they have to. */
function chooseWitness(last: DrainObservation, rules: DrainRules) {
  const aloneMs = confirmationOf(rules);
  if (hostsSpeak(last) && isUnsaid(last)) {
    const says = `every host says that no job is left, and ${rules.words.registry} shows none but does not say whether one runs that this token cannot see`;
    return { says, counts: hostsSpeak, neededMs: aloneMs };
  }
  if (hostsSpeak(last)) {
    const { registry, registration } = rules.words;
    const says =
      last.registration.kind === 'gone'
        ? `every host says that no job is left, and ${registry} does not know the ${registration}`
        : `${registry} and every host say that no job is left`;
    return { says, counts: hostsSpeak, neededMs: rules.pollOfRunnerMs };
  }
  if (last.registration.kind === 'gone') {
    return {
      says: 'there is no registration, and Systems Manager knows no host',
      counts: ({ registration, noHostListed }: DrainObservation) =>
        registration.kind === 'gone' && noHostListed === true,
      neededMs: aloneMs,
    };
  }
  const says = `${rules.words.registry} alone says that no job is left${missingWitness(last)}`;
  if (last.sight?.list === 'whole') return { says, counts: () => true, neededMs: aloneMs };
  // It is blind to a job in its `after_script`: one that it does not list has to have ended by itself.
  return {
    says: `${says}, to a token of which it is known only that ${last.sight?.reason ?? 'it lists none'}`,
    counts: () => true,
    neededMs: confirmationAlone(last.sight, rules),
  };
}

/** Whose word is missing, and why. */
function missingWitness({ hosts }: DrainObservation): string {
  const silent = hosts.find(({ kind }) => kind === 'silent');
  return silent?.kind === 'silent' ? ` (${silent.host}: ${silent.reason})` : '';
}

/**
 * How long the registry alone has to say that no job is left. It begins anew in each run: whether
 * somebody opened the registration in between, and a job came, nobody keeps.
 */
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
  looks: readonly DrainObservation[],
  counts: (look: DrainObservation) => boolean,
  words: RegistryTerms,
): number {
  return streakStart(looks, (look) => {
    const paused = look.registration.kind === 'gone' || look.registration.paused;
    return paused && whyBusy(look, words) === undefined && counts(look);
  });
}

export function whyBusy(look: DrainObservation, words: RegistryTerms): string | undefined {
  const others = whyOthersAreBusy(look.others, words);
  if (others !== undefined) return others;
  if (look.jobs.length > 0) {
    const [job] = look.jobs;
    const others = look.jobs.length > 1 ? ` and ${look.jobs.length - 1} more` : '';
    return `job ${job?.id} "${job?.name}" is ${job?.status}${others}`;
  }
  if (look.registration.kind === 'seen' && executionIn(look) === 'active') {
    return `${words.registry} says that the ${words.registration} executes a job that this token cannot see`;
  }
  for (const host of look.hosts) {
    if (host.kind === 'jobs' && host.count > 0)
      return `host ${host.host} says that it runs ${counted(host.count, 'job')}`;
  }
  return undefined;
}
