import type { RegistryTerms } from '../registry-terms.ts';
import type { Shard } from '../shard.ts';
import { formatDuration } from '../text/duration.ts';

/** Observations that decide whether one shard accepts jobs, each with its age. */
export interface ServiceObservation {
  readonly shard: Shard;
  readonly registration: RegistrationReading;
  readonly hosts: HostsReading;
  /** Job requests that the registry answered, and jobs and canaries that started on the shard. */
  readonly work: readonly WorkSign[];
}

export type RegistrationReading =
  | {
      readonly kind: 'open';
      readonly id: string;
      /**
       * Whether it has a tag of the current configuration; it may have been deployed with others.
       */
      readonly isConfigured: boolean;
      /**
       * Age of the last manager contact that the registry reports; read only if little else is
       * known.
       */
      readonly contactAgeMs?: number;
    }
  | { readonly kind: 'closed'; readonly id: string; readonly why: 'paused' | 'no_production_tag' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type HostsReading =
  /** The configuration excludes queries to the hosts. */
  | { readonly kind: 'not_asked' }
  /** Hosts are not queried, and EC2 lists no machine. EC2 alone disproves nothing. */
  | { readonly kind: 'ended'; readonly reason: string }
  /** Confirmed by the host list, and by the infrastructure or EC2. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'seen'; readonly processes: readonly ProcessReading[] };

export interface ProcessReading {
  readonly host: string;
  /**
   * `unready`: the host reports that the process is stopping or not started yet. `silent`: no
   * report.
   */
  readonly state: 'runs' | 'unready' | 'ended' | 'silent';
  /** State as reported: `quitting`, `its agent is lost`. */
  readonly detail: string;
  /** Since the previous check, the registry refused its requests and answered none. */
  readonly refused: boolean;
  /**
   * Set if the process has several runners: answers to the others prove nothing for this one.
   * `no_answer`: no request of this runner was answered yet. `unidentified`: its requests cannot be
   * identified.
   */
  readonly ofSeveral?: 'no_answer' | 'unidentified';
}

export interface WorkSign {
  readonly kind: 'request' | 'job' | 'canary';
  /** Description such as `job 812 began` or `a request of i-0abc for a job was answered`. */
  readonly what: string;
  readonly ageMs: number;
  /**
   * `unseen`: on none of the running processes by the registry's report, but perhaps on one that
   * does not respond. `ended`: on a process that has ended or takes no job.
   */
  readonly elsewhere?: 'unseen' | 'ended';
}

/** Maximum age of a proof. */
export interface ServiceRules {
  readonly evidenceMaxAgeMs: number;
  readonly words: RegistryTerms;
}

/** Describes the runner's state alone. */
export function describeRegistration(
  { shard, registration }: Pick<ServiceObservation, 'shard' | 'registration'>,
  { words }: Pick<ServiceRules, 'words'>,
): string {
  switch (registration.kind) {
    case 'open':
      return `${words.registration} ${registration.id} of ${shard} is ${words.unpaused} and has ${registration.isConfigured ? `its ${words.tags}` : `${words.tags} that are not configured`}`;
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
  observation: ServiceObservation,
  refused: readonly string[],
  rules: ServiceRules,
): string {
  const { words } = rules;
  const last = youngest(observation.work);
  const parts = [
    describeRegistration(observation, rules),
    ...describeHosts(observation.hosts),
    ...describeSeveral(observation, rules),
    ...(refused.length === 0
      ? []
      : [`${words.registry} refuses the requests of ${refused.join(', ')}`]),
    ...describeContact(observation.registration, words),
    last === undefined
      ? 'no started job or canary was observed'
      : `the last observed activity: ${last.what} ${age(last)}`,
  ];
  return parts.join('; ');
}

function describeSeveral(observation: ServiceObservation, rules: ServiceRules): readonly string[] {
  const its = nameOf(observation, rules);
  return processesOfSeveral(observation).map(({ host, ofSeveral }) => {
    const why =
      ofSeveral === 'unidentified'
        ? `and its report does not identify ${its}`
        : `and has counted no response to ${its}`;
    return `on ${host}, the process has several runners, ${why}`;
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
  return [`a ${words.manager} contacted ${words.registry} ${ago} ago`];
}

function describeHosts(hosts: HostsReading): readonly string[] {
  switch (hosts.kind) {
    case 'not_asked':
      return ['its hosts are not queried'];
    case 'gone':
    case 'ended':
    case 'unknown':
      return [hosts.reason];
    case 'seen': {
      const notRunning = hosts.processes.filter(({ state }) => state !== 'runs');
      const running = hosts.processes.length - notRunning.length;
      return [
        ...(running > 0
          ? [running === 1 ? 'its process runs' : `${running} of its processes run`]
          : []),
        ...notRunning.map(({ host, detail }) => `on ${host}, ${detail}`),
      ];
    }
  }
}

export function missing(observation: ServiceObservation, rules: ServiceRules): string {
  const { hosts } = observation;
  const { words, evidenceMaxAgeMs } = rules;
  const work = `a job or canary that started on ${observation.shard} in the last ${formatDuration(evidenceMaxAgeMs)}`;
  if (hosts.kind === 'ended')
    return `a machine of ${observation.shard} that EC2 does not report as terminated`;
  if (hosts.kind === 'not_asked') return work;
  const requests =
    processesOfSeveral(observation).length > 0
      ? `the requests of ${nameOf(observation, rules)} itself`
      : 'its requests';
  return `a host report that the process of ${observation.shard} runs and that ${words.registry} answers ${requests}, or ${work}`;
}

export function youngest(signs: readonly WorkSign[]): WorkSign | undefined {
  return signs
    .filter(({ ageMs }) => ageMs >= 0)
    .toSorted((one, other) => one.ageMs - other.ageMs)[0];
}

export function age({ ageMs }: WorkSign): string {
  return `${formatDuration(ageMs)} ago`;
}
