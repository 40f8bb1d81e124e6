import { inTerms, type LogSign, type RegistryTerms } from '../registry-terms.ts';
import { formatDuration } from '../text/duration.ts';
import { formatSignText, timeOfLine } from '../text/log-entry.ts';
import { shownMatch } from '../text/log-line.ts';
import {
  type Diagnosis,
  type DiagnosisCode,
  type DiagnosisEntry,
  type DiagnosisFacts,
  diagnosisCodes,
  type HostFacts,
} from './diagnosis.ts';
import { diagnoses } from './diagnosis-catalogue.ts';

/** Lists possible causes, most likely first. Empty if the catalogue has no matching entry. */
export function diagnose(
  facts: DiagnosisFacts,
  {
    words,
    ...named
  }: { readonly runner: string; readonly shard: string; readonly words: RegistryTerms },
): readonly Diagnosis[] {
  const fill = (text: string) => inTerms(text, words, named);
  return diagnosisCodes.flatMap((code) => {
    const seen = signs[code]?.(facts, words) ?? findLogged(facts, words, code);
    if (seen === undefined) return [];
    const entry = diagnoses[code];
    return [
      {
        code,
        title: fill(entry.title),
        seen,
        time: timeOf(code, words),
        because: fill(entry.because),
        acts: (entry.acts ?? []).map(fill),
        fixedBy: entry.last.command,
      },
    ];
  });
}

/** Faults of the registry itself: they do not count against the candidate. */
export const registryFaults: readonly DiagnosisCode[] = ['registry_failing', 'api_rate_limited'];

export function findRegistryFault(diagnoses: readonly Diagnosis[]): Diagnosis | undefined {
  return diagnoses.find(({ code }) => registryFaults.includes(code));
}

/** Returns whether waiting can help. For a refused token, this depends on the registry. */
export function timeOf(code: DiagnosisCode, words: RegistryTerms): DiagnosisEntry['time'] {
  if (code !== 'token_refused') return diagnoses[code].time;
  return words.refusalPasses ? 'may_help' : 'cannot_help';
}

type Sign = (facts: DiagnosisFacts, words: RegistryTerms) => string | undefined;

/** A smaller clock error is harmless: certificates and AWS signatures tolerate minutes. */
const clockToleranceMs = 60_000;

/** Detects causes from facts other than a log; `undefined` leaves the cause to the log. */
const signs: Readonly<Partial<Record<DiagnosisCode, Sign>>> = {
  registration_deleted: ({ registration }, words) =>
    registration?.state === 'absent'
      ? `${words.registration} ${registration.id} does not exist`
      : undefined,
  registration_paused: ({ registration }, words) =>
    registration?.paused === true
      ? `${words.registration} ${registration.id} is ${words.paused}`
      : undefined,
  token_refused: (facts, words) =>
    host(facts, ({ id, token }) =>
      token === 'refused'
        ? `${words.program} verify on ${id}: ${words.registry} returned 403`
        : undefined,
    ) ??
    findLogged(facts, words, 'token_refused') ??
    silenced(facts, words),
  // On a host with a correct clock, this log line means that the certificate has expired.
  certificate_untrusted: (facts, words) =>
    findLogged(facts, words, 'certificate_untrusted') ??
    findLogged(withClocks(facts, isClockRight), words, 'clock_off', ended),
  clock_off: (facts) =>
    host(facts, ({ id, clockOffMs = 0 }) =>
      Math.abs(clockOffMs) > clockToleranceMs
        ? `the clock of ${id} is ${formatDuration(Math.abs(clockOffMs))} ${clockOffMs > 0 ? 'ahead' : 'behind'}`
        : undefined,
    ),
  instance_absent: ({ instances }) =>
    instances?.every(isGone) === true ? 'no instance has the Name tag of the shard' : undefined,
  instance_stopped: ({ instances = [] }) => {
    const found = instances.find(({ state }) => /^(?:stopp|shutting)/.test(state));
    return found === undefined ? undefined : `${found.id} is ${found.state}`;
  },
  instance_never_booted: ({ instances, hosts, missing }) => {
    if (!missing.includes('instance') || hosts === undefined || hosts.length > 0) return undefined;
    if (instances === undefined) return 'no host is registered with Systems Manager';
    const found = instances.find(({ state }) => state === 'running' || state === 'pending');
    if (found === undefined) return undefined;
    return `${found.id} is ${found.state} and never registered with Systems Manager`;
  },
  agent_lost: ({ hosts = [], missing }) => {
    const lost = hosts.find(({ agent }) => agent === 'lost');
    if (lost === undefined || !missing.includes('instance')) return undefined;
    return `${lost.id} does not respond to Systems Manager`;
  },
  runner_absent: (facts) =>
    host(facts, ({ id, process }) =>
      process === 'absent' ? `${id} has no such container or unit` : undefined,
    ),
  runner_stopped: (facts) =>
    host(facts, ({ id, process }) =>
      process === 'stopped' ? `the runner process of ${id} is stopped` : undefined,
    ),
  no_matching_tags: ({ registration }, words) => {
    const { id, tags, expectedTags = [] } = registration ?? {};
    const lacking = tags === undefined ? [] : expectedTags.filter((tag) => !tags.includes(tag));
    return lacking.length === 0
      ? undefined
      : `${words.registration} ${id} lacks the ${words.tag} ${lacking.join(', ')}`;
  },
  host_cannot_work: ({ workload }) => workload,
  executor_broken: ({ canary }) => (canary?.kind === 'failed' ? canary.reason : undefined),
  capacity_missing: ({ capacity }) => capacity,
  targets_unreachable: ({ unreachable }) => unreachable,
  canary_not_startable: ({ canary }) =>
    canary?.kind === 'not_startable' ? canary.reason : undefined,
};

const ended = /certificate has expired or is not yet valid/i;

function isClockRight({ clockOffMs = 0 }: HostFacts): boolean {
  return Math.abs(clockOffMs) <= clockToleranceMs;
}

function withClocks(
  facts: Pick<DiagnosisFacts, 'reports'>,
  isMeant: (report: HostFacts) => boolean,
): Pick<DiagnosisFacts, 'reports'> {
  return { ...facts, reports: facts.reports?.filter(isMeant) ?? [] };
}

/**
 * Finds a refused token behind a disabled runner. A runner is also disabled for other reasons,
 * which its log states.
 */
function silenced(
  { reports = [] }: DiagnosisFacts,
  { silenced: set, otherNoResponse, logSigns }: RegistryTerms,
): string | undefined {
  const clear = logSigns.token_refused?.clear;
  if (set === undefined || clear === undefined) return undefined;
  const unexplained = reports.filter(
    ({ log }) => !log.some((line) => otherNoResponse?.test(formatSignText(line))),
  );
  const sign = { set, clear, omitsResponses: true };
  return lastLine(unexplained, sign, { isSet: (text) => set.test(text), silenced: set });
}

function isGone({ state }: { state: string }): boolean {
  return state === 'terminated';
}

function host(
  { reports = [] }: DiagnosisFacts,
  sign: (report: HostFacts) => string | undefined,
): string | undefined {
  for (const report of reports) {
    const seen = sign(report);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

/**
 * Returns the first cause in order that matches: an unreachable image is not an unreachable
 * registry.
 */
function causeOf(text: string, { logSigns }: RegistryTerms): DiagnosisCode | undefined {
  return diagnosisCodes.find((code) => logSigns[code]?.set.test(text) === true);
}

/** Returns a log's current sign of a cause; undefined if a later line has ended it. */
export function findLogged(
  facts: Pick<DiagnosisFacts, 'reports'>,
  words: RegistryTerms,
  code: DiagnosisCode,
  only?: RegExp,
): string | undefined {
  const sign = words.logSigns[code];
  if (sign === undefined) return undefined;
  // A measured clock takes precedence over the log.
  const isMeasured = code === 'clock_off' && only === undefined;
  const { reports = [] } = isMeasured
    ? withClocks(facts, ({ clockOffMs }) => clockOffMs === undefined)
    : facts;
  return lastLine(reports, sign, {
    isSet: (text) => causeOf(text, words) === code && only?.test(text) !== false,
    silenced: words.silenced,
  });
}

/**
 * A request lasts up to 50 s, and the next one follows after the check interval (3 s by default).
 */
const repeatedWithinMs = 5 * 60_000;
/** Default of `unhealthy_interval`: a disabled runner makes no request during this time. */
const silencedForMs = 60 * 60_000;

/** Returns the last matching line of any host, unless a later line ends it. */
function lastLine(
  reports: readonly HostFacts[],
  { set, clear, omitsResponses = false }: LogSign,
  { isSet, silenced: falls }: { isSet: (text: string) => boolean; silenced: RegExp | undefined },
): string | undefined {
  for (const { log, hostTimeMs, answeredSince = false } of reports) {
    const texts = log.map(formatSignText);
    const found = texts.findLastIndex(isSet);
    const later = texts.slice(found + 1);
    if (found < 0 || later.some((text) => clear.test(text))) continue;
    const line = log[found] ?? '';
    const isSilenced = texts.slice(found).some((text) => falls?.test(text));
    const limitMs = repeatedWithinMs + (isSilenced ? silencedForMs : 0);
    const ageMs = (hostTimeMs ?? Number.NaN) - (timeOfLine(line) ?? Number.NaN);
    if (omitsResponses && (answeredSince || ageMs > limitMs)) continue;
    return `"${shownMatch(line, set)}"`;
  }
  return undefined;
}

/** Formats a diagnosis as one line of an error. */
export function formatDiagnosis({ title, seen, time, because }: Diagnosis): string {
  return `${title}; ${timeWords[time]}: ${because}. Observed: ${seen}`;
}

const timeWords = {
  may_help: 'a longer wait may help',
  cannot_help: 'a longer wait cannot help',
} as const;
