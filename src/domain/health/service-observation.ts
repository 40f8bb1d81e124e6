import type { RegistryTerms } from '../registry-terms.ts';
import type { Shard } from '../shard.ts';
import { formatDuration } from '../text/duration.ts';

/** Everything that was seen of whether one shard serves; each word with its age. */
export interface ServiceObservation {
  readonly shard: Shard;
  readonly registration: RegistrationReading;
  readonly hosts: HostsReading;
  /** Requests for a job that the registry answered, jobs and canaries that began there. */
  readonly work: readonly WorkSign[];
}

export type RegistrationReading =
  | {
      readonly kind: 'open';
      readonly id: string;
      /** Whether one of its tags is of today; others it may have been deployed with. */
      readonly isConfigured: boolean;
      /** Since a manager of it contacted the registry, by the registry; asked where little else is known. */
      readonly contactAgeMs?: number;
    }
  | { readonly kind: 'closed'; readonly id: string; readonly why: 'paused' | 'no_production_tag' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type HostsReading =
  /** The hosts may not be asked, by configuration. */
  | { readonly kind: 'not_asked' }
  /** Nor asked; and no machine is left, by EC2's word alone: one source disproves nothing. */
  | { readonly kind: 'ended'; readonly reason: string }
  /** By two sources: the hosts' list, and the infrastructure or EC2. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'seen'; readonly processes: readonly ProcessReading[] };

export interface ProcessReading {
  readonly host: string;
  /**
   * `unready`: by its own word it takes no job now: it quits, or has yet to begin. `silent`: nobody tells.
   */
  readonly state: 'runs' | 'unready' | 'ended' | 'silent';
  /** In its own words: `quitting`, `its agent is lost`. */
  readonly detail: string;
  /** Since the look before this one the registry refused its requests and answered none. */
  readonly refused: boolean;
  /**
   * It has several runners, and what others of them are answered proves nothing for this one: none of its
   * own requests was answered yet, or nobody tells which ones are its own.
   */
  readonly ofSeveral?: 'no_answer' | 'untold';
}

export interface WorkSign {
  readonly kind: 'request' | 'job' | 'canary';
  /** `job 812 began`, `a request of i-0abc for a job was answered`. */
  readonly what: string;
  readonly ageMs: number;
  /**
   * `unseen`: by the registry it began on none of the processes that run, and may be of one that is silent.
   * `ended`: on one that has ended, or takes no job by its own word.
   */
  readonly elsewhere?: 'unseen' | 'ended';
}

/** How old a proof may be. */
export interface ServiceRules {
  readonly evidenceMaxAgeMs: number;
  readonly words: RegistryTerms;
}

/** What its registration alone says. */
export function describeRegistration(
  { shard, registration }: Pick<ServiceObservation, 'shard' | 'registration'>,
  { words }: Pick<ServiceRules, 'words'>,
): string {
  switch (registration.kind) {
    case 'open':
      return `${words.registration} ${registration.id} of ${shard} is ${words.unpaused} and has ${registration.isConfigured ? `its ${words.tags}` : `${words.tags} of which none is configured`}`;
    case 'closed':
      return registration.why === 'paused'
        ? `${words.registration} ${registration.id} of ${shard} is ${words.paused}`
        : `${words.registration} ${registration.id} of ${shard} has no production ${words.tags}`;
    case 'none':
      return `${shard} has no ${words.registration}`;
    case 'unknown':
      return `the ${words.registration} of ${shard} could not be read`;
  }
}

export function doubt(
  look: ServiceObservation,
  refused: readonly string[],
  rules: ServiceRules,
): string {
  const { words } = rules;
  const last = youngest(look.work);
  const parts = [
    describeRegistration(look, rules),
    ...describeHosts(look.hosts),
    ...describeSeveral(look, rules),
    ...(refused.length === 0
      ? []
      : [`${words.registry} refuses the requests of ${refused.join(', ')}`]),
    ...describeContact(look.registration, words),
    last === undefined
      ? 'nothing was seen to be taken there'
      : `the last sign of work is that ${last.what} ${age(last)}`,
  ];
  return parts.join('; ');
}

function describeSeveral(look: ServiceObservation, rules: ServiceRules): readonly string[] {
  const its = nameOf(look, rules);
  return processesOfSeveral(look).map(({ host, ofSeveral }) => {
    const why =
      ofSeveral === 'untold'
        ? `and which of them is ${its} is not told`
        : `and has counted no answer to ${its}`;
    return `host ${host}: its process has several runners, ${why}`;
  });
}

function processesOfSeveral({ hosts }: ServiceObservation): readonly ProcessReading[] {
  const processes = hosts.kind === 'seen' ? hosts.processes : [];
  return processes.filter(({ state, ofSeveral }) => state === 'runs' && ofSeveral !== undefined);
}

function nameOf({ registration }: ServiceObservation, { words }: ServiceRules): string {
  return `${words.registration} ${'id' in registration ? registration.id : ''}`.trim();
}

function describeContact(
  registration: RegistrationReading,
  words: RegistryTerms,
): readonly string[] {
  if (registration.kind !== 'open' || registration.contactAgeMs === undefined) return [];
  const ago = formatDuration(registration.contactAgeMs);
  return [`a ${words.manager} of it last contacted ${words.registry} ${ago} ago`];
}

function describeHosts(hosts: HostsReading): readonly string[] {
  switch (hosts.kind) {
    case 'not_asked':
      return ['its hosts are not asked'];
    case 'gone':
    case 'ended':
    case 'unknown':
      return [hosts.reason];
    case 'seen': {
      const silent = hosts.processes.filter(({ state }) => state !== 'runs');
      const running = hosts.processes.length - silent.length;
      return [
        ...(running > 0
          ? [running === 1 ? 'a process of it runs' : `${running} processes of it run`]
          : []),
        ...silent.map(({ host, detail }) => `host ${host}: ${detail}`),
      ];
    }
  }
}

export function missing(look: ServiceObservation, rules: ServiceRules): string {
  const { hosts } = look;
  const { words, evidenceMaxAgeMs } = rules;
  const work = `a job or a canary that begins there (within ${formatDuration(evidenceMaxAgeMs)})`;
  if (hosts.kind === 'ended') return 'a machine of it that EC2 does not call terminated';
  if (hosts.kind === 'not_asked') return work;
  const requests =
    processesOfSeveral(look).length > 0
      ? `the requests of ${nameOf(look, rules)} itself`
      : 'its requests';
  return `a host's word that its process runs and that ${words.registry} answers ${requests}, or ${work}`;
}

export function youngest(signs: readonly WorkSign[]): WorkSign | undefined {
  return signs
    .filter(({ ageMs }) => ageMs >= 0)
    .toSorted((one, other) => one.ageMs - other.ageMs)[0];
}

export function age({ ageMs }: WorkSign): string {
  return `${formatDuration(ageMs)} ago`;
}
