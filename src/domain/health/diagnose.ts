import { inWords, type RegistryWords } from '../registry-words.ts';
import { formatDuration } from '../text/duration.ts';
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

/** What the facts speak for, most likely first. Empty: nothing that the catalogue knows. */
export function diagnose(
  facts: DiagnosisFacts,
  {
    words,
    ...named
  }: { readonly runner: string; readonly shard: string; readonly words: RegistryWords },
): readonly Diagnosis[] {
  const fill = (text: string) => inWords(text, words, named);
  return diagnosisCodes.flatMap((code) => {
    const seen = signs[code](facts, words);
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
        mendedBy: entry.last.command,
      },
    ];
  });
}

/** Whether time helps against a refused token is the registry's to say. */
export function timeOf(code: DiagnosisCode, words: RegistryWords): DiagnosisEntry['time'] {
  if (code !== 'token_refused') return diagnoses[code].time;
  return words.refusalPasses ? 'may_help' : 'cannot_help';
}

type Sign = (facts: DiagnosisFacts, words: RegistryWords) => string | undefined;

/** Off by less, a clock harms nothing: certificates and AWS's signatures tolerate minutes. */
const clockToleranceMs = 60_000;

const signs: Readonly<Record<DiagnosisCode, Sign>> = {
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
        ? `${words.program} verify on ${id}: ${words.registry} says 403`
        : undefined,
    ) ??
    line(facts, words.logSigns.token_refused, words.asksAnew) ??
    line(withoutOtherReason(facts, words), words.silenced, words.asksAnew),
  token_absent: (facts, { logSigns }) => line(facts, logSigns.token_absent),
  version_ended: (facts, { logSigns }) => line(facts, logSigns.version_ended),
  certificate_untrusted: (facts, { answered }) =>
    line(facts, untrusted, answered) ??
    // By a clock that is right, a certificate that has ended has ended.
    line({ ...facts, reports: facts.reports?.filter(isClockRight) ?? [] }, ended, answered),
  clock_off: (facts, { answered }) =>
    host(facts, ({ id, clockOffMs = 0 }) =>
      Math.abs(clockOffMs) > clockToleranceMs
        ? `the clock of ${id} is ${formatDuration(Math.abs(clockOffMs))} ${clockOffMs > 0 ? 'ahead' : 'behind'}`
        : undefined,
    ) ??
    line(
      {
        ...facts,
        reports: facts.reports?.filter(({ clockOffMs }) => clockOffMs === undefined) ?? [],
      },
      mistimed,
      answered,
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
    return `${lost.id} does not answer Systems Manager`;
  },
  runner_absent: (facts) =>
    host(facts, ({ id, process }) =>
      process === 'absent' ? `${id} has no such container or unit` : undefined,
    ),
  runner_stopped: (facts) =>
    host(facts, ({ id, process }) =>
      process === 'stopped' ? `the runner process of ${id} is stopped` : undefined,
    ),
  registry_unreachable: (facts, { logSigns, answered }) =>
    line(facts, logSigns.registry_unreachable, answered),
  no_matching_tags: ({ registration }, words) => {
    const { id, tags, expectedTags = [] } = registration ?? {};
    const lacking = tags === undefined ? [] : expectedTags.filter((tag) => !tags.includes(tag));
    return lacking.length === 0
      ? undefined
      : `${words.registration} ${id} lacks the ${words.tag} ${lacking.join(', ')}`;
  },
  host_cannot_work: ({ workload }) => workload,
  plugin_missing: (facts, { logSigns }) => line(facts, logSigns.plugin_missing),
  executor_broken: (facts, { logSigns }) =>
    (facts.canary?.kind === 'failed' ? facts.canary.reason : undefined) ??
    line(withoutLines(facts, logSigns.plugin_missing), logSigns.executor_broken),
  workers_not_made: (facts, { logSigns, workersMade }) =>
    line(facts, logSigns.workers_not_made, workersMade),
  capacity_missing: ({ capacity }) => capacity,
  targets_unreachable: ({ unreachable }) => unreachable,
  canary_not_startable: ({ canary }) =>
    canary?.kind === 'not_startable' ? canary.reason : undefined,
};

// Go names the package that refuses a certificate, and from 1.20 on (gitlab-runner 16) who asked it to.
const ended = /certificate has expired or is not yet valid/i;
const untrusted =
  /x509: (?!certificate has expired)|failed to verify certificate: (?!x509: certificate has expired)|tls: (?!failed to verify).*certificate/i;
const mistimed =
  /certificate has expired or is not yet valid|RequestTimeTooSkewed|Signature (?:expired|not yet current)/i;

function isClockRight({ clockOffMs = 0 }: HostFacts): boolean {
  return Math.abs(clockOffMs) <= clockToleranceMs;
}

/** A program also falls silent for reasons of its own; its log says so. */
function withoutOtherReason(
  facts: DiagnosisFacts,
  { otherSilence }: RegistryWords,
): DiagnosisFacts {
  const reports = facts.reports ?? [];
  return {
    ...facts,
    reports: reports.filter(({ log }) => !log.some((text) => otherSilence?.test(text))),
  };
}

/** Lines that have a better name already. */
function withoutLines(facts: DiagnosisFacts, named: RegExp | undefined): DiagnosisFacts {
  const rest = (log: HostFacts['log']) => log.filter((text) => named?.test(text) !== true);
  return {
    ...facts,
    reports: (facts.reports ?? []).map((report) => ({ ...report, log: rest(report.log) })),
  };
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

/** The last line of any host that has it, since the line that says that an earlier trouble is over. */
function line(
  { reports = [] }: DiagnosisFacts,
  pattern: RegExp | undefined,
  over?: RegExp,
): string | undefined {
  if (pattern === undefined) return undefined;
  for (const { log } of reports) {
    const found = log.findLastIndex((text) => pattern.test(text));
    const isOver = over !== undefined && log.slice(found + 1).some((text) => over.test(text));
    if (found >= 0 && !isOver) return `"${shownMatch(log[found] ?? '', pattern)}"`;
  }
  return undefined;
}

/** How an error tells a diagnosis, in one line. */
export function tellDiagnosis({ title, seen, time, because }: Diagnosis): string {
  return `${title} (${seen}); ${timeWords[time]}: ${because}`;
}

const timeWords = {
  may_help: 'waiting on may help',
  cannot_help: 'waiting on cannot help',
} as const;
