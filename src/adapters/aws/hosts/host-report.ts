import type { HostReport } from '../../../ports/runner-host.ts';
import { oneLine, wholeLine } from '../line-text.ts';
import { type HostOutput, wholeNumber } from './host-output.ts';
import { readRequests } from './job-requests.ts';
import { readProcess } from './process-state.ts';

/** Parses a report strictly: missing or malformed values are unknown. */
export function readReport(
  output: HostOutput,
  redact: (text: string) => string,
  window?: CheckWindow,
): HostReport {
  const { process: unit, restarts } = readProcess(output);
  const jobs = readJobs(output, redact);
  // A worker and its job outlive their listener.
  const process = unit === 'stopped' && output.all('worker').length > 0 ? 'quitting' : unit;
  const health = readHealth(output);
  const wrapper = readWrapper(output);
  const idleWorkers = readIdleWorkers(output);
  const slots = readSlots(output);
  const hostTimeMs = readHostTime(output);
  const clockOffMs = readClock(hostTimeMs, window);
  const systemId = readSystemId(output);
  const version = readVersion(output);
  return {
    kind: 'report',
    process: refine(process, output, wrapper),
    restarts,
    jobs,
    ...(isListenerOff(output) ? { listener: 'off' as const } : {}),
    ready: readReady(output),
    ...(health === undefined ? {} : { health }),
    ...(wrapper === undefined ? {} : { wrapper }),
    ...readRequests(output),
    ...(idleWorkers === undefined ? {} : { idleWorkers }),
    ...(slots === undefined ? {} : { slots }),
    ...(clockOffMs === undefined ? {} : { clockOffMs }),
    ...(hostTimeMs === undefined ? {} : { hostTimeMs }),
    ...(systemId === undefined ? {} : { systemId }),
    ...(version === undefined ? {} : { version }),
    log: output.all('log').map((line) => wholeLine(line, redact)),
  };
}

/**
 * Refines the state of the process. The container always runs; from 19.1 on, the runner reports its
 * own state.
 */
function refine(
  process: HostReport['process'],
  output: HostOutput,
  wrapper: HostReport['wrapper'],
): HostReport['process'] {
  if (process !== 'running') return process;
  // The wrapper continues to run after its runner has ended.
  if (wrapper === 'stopped') return 'stopped';
  if (wrapper === 'in_shutdown') return 'quitting';
  const answer = readHttpAnswer(output, 'state');
  if (answer?.status !== 200) return process;
  switch (answer.lines[0]?.trim()) {
    case 'starting':
      return 'starting';
    case 'graceful-shutdown':
    case 'forceful-shutdown':
      return 'quitting';
    default:
      return 'running';
  }
}

/** Period of the check, by the clock of this process. */
export interface CheckWindow {
  readonly from: number;
  readonly to: number;
}

function readHostTime(output: HostOutput): number | undefined {
  const text = output.first('clock') ?? '';
  return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** Returns the clock skew of a host. Zero if the host's second may lie within the window. */
function readClock(at: number | undefined, window: CheckWindow | undefined): number | undefined {
  if (window === undefined || at === undefined) return undefined;
  if (at > window.to) return at - window.to;
  return at + 1000 < window.from ? at + 1000 - window.from : 0;
}

/** Reads the third word of the inspection. An image without a HEALTHCHECK has none. */
function readHealth(output: HostOutput): HostReport['health'] {
  if (output.first('inspect_code') !== '0') return undefined;
  const word = output.first('inspect')?.trim().split(' ')[2];
  return word === 'starting' || word === 'healthy' || word === 'unhealthy' ? word : undefined;
}

/** States by number in the protocol. Zero is not sent and means `unknown`. */
const wrapperStates = ['unknown', 'running', 'in_shutdown', 'stopped'] as const;

/**
 * Reads hexadecimal: one byte for compression, four for the length, then field 1 of the message.
 */
function readWrapper(output: HostOutput): HostReport['wrapper'] {
  const [, length, body = ''] =
    /^00([0-9a-f]{8})([0-9a-f]*)$/.exec(output.first('wrapper') ?? '') ?? [];
  if (length === undefined || Number.parseInt(length, 16) * 2 !== body.length) return undefined;
  const state = /^08([0-9a-f]{2})/.exec(body)?.[1];
  return state === undefined ? 'unknown' : wrapperStates[Number.parseInt(state, 16)];
}

function readIdleWorkers(output: HostOutput): number | undefined {
  const counts = output.all('idle').map((line) => Number(/^\} (\d+(?:\.\d+)?)$/.exec(line)?.[1]));
  const sum = counts.reduce((total, count) => total + count, 0);
  return counts.length === 0 || Number.isNaN(sum) ? undefined : sum;
}

/** Reads slots by state. A missing state does not mean zero slots. */
function readSlots(output: HostOutput): HostReport['slots'] {
  const lines = output.all('tasks').map((line) => /^([a-z]{1,19}) (\d{1,9})$/.exec(line));
  if (lines.length === 0 || lines.includes(null)) return undefined;
  return Object.fromEntries(lines.map((line) => [line?.[1] ?? '', Number(line?.[2])]));
}

/**
 * Reads the job list. An empty list means idle, so only the runner's own empty list counts as one.
 */
function readJobs(
  output: HostOutput,
  redact: (text: string) => string,
): readonly string[] | undefined {
  if (output.first('workers_code') !== undefined) return readWorkers(output);
  const answer = readHttpAnswer(output, 'jobs');
  if (answer?.status !== 200 || !answer.headers.has('x-list-version')) return undefined;
  const unprinted = answer.lineCount - answer.lines.length;
  return [
    ...answer.lines.map((line) => oneLine(redact(line))),
    ...Array.from({ length: unprinted }, () => 'a job that the host did not print'),
  ];
}

/** Reads workers by the exit code of pgrep: 0 found some, 1 found none, others prove nothing. */
function readWorkers(output: HostOutput): readonly string[] | undefined {
  const found = output.all('worker').map((pid) => `Runner.Worker, process ${oneLine(pid)}`);
  const code = output.first('workers_code');
  if (code === '0' && found.length > 0) return found;
  if (code !== '1' || found.length > 0) return undefined;
  return readMessages(output.first('messages'));
}

/** Reads the listener's open messages. Without a listener process, the host prints no count. */
function readMessages(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return [];
  const count = wholeNumber(text);
  if (count === undefined) return undefined;
  return Array.from(
    { length: count },
    () => 'a job that the listener holds before its Runner.Worker starts',
  );
}

/** Detects a refused connection by curl's exit code. */
function isListenerOff(output: HostOutput): boolean {
  return output.first('jobs_code') === '7';
}

function readReady(output: HostOutput): HostReport['ready'] {
  const answer = readHttpAnswer(output, 'ready');
  if (answer === undefined || answer.status === 404) return 'not_offered';
  return answer.status === 200 ? 'ready' : 'not_ready';
}

// https://docs.gitlab.com/runner/fleet_scaling/#view-runner-managers
const systemIdPattern = /^[sr]_[0-9a-zA-Z]{12}$/;

function readSystemId(output: HostOutput): string | undefined {
  const agent = output.first('agent')?.trim() ?? '';
  if (/^[A-Za-z0-9][\w.-]{0,199}$/.test(agent)) return agent;
  const metrics = output
    .all('metric')
    .flatMap((line) => /system_id="([^"]*)"/.exec(line)?.[1] ?? []);
  // The metrics show the id of the process. The file in the usual folder may belong to another
  // configuration.
  return [...metrics, ...output.all('system_id').map((text) => text.trim())].find((text) =>
    systemIdPattern.test(text),
  );
}

function readVersion(output: HostOutput): string | undefined {
  const metrics = output
    .all('metric')
    .filter((line) => line.startsWith('gitlab_runner_version_info'))
    .flatMap((line) => /[{,]version="([^"]*)"/.exec(line)?.[1] ?? []);
  return [...output.all('version').map((text) => text.trim()), ...metrics].find((text) =>
    /^[0-9A-Za-z][0-9A-Za-z.+~-]{0,50}$/.test(text),
  );
}

/** Response of a runner endpoint, as `curl --include` printed it on the host. */
interface HttpAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Non-empty lines that the script printed. */
  readonly lines: readonly string[];
  /** Count of all lines, printed or not. */
  readonly lineCount: number;
}

/** Reads a response. Undefined if none arrived or it is incomplete. */
function readHttpAnswer(output: HostOutput, key: string): HttpAnswer | undefined {
  const total = wholeNumber(output.first(`${key}_lines`));
  if (output.first(`${key}_code`) !== '0' || total === undefined) return undefined;
  const printed = output.all(key);
  const status = Number(/^HTTP\/[\d.]+ (\d{3})\b/.exec(printed[0] ?? '')?.[1]);
  const blank = printed.indexOf('');
  if (Number.isNaN(status) || blank < 1) return undefined;
  const body = printed.slice(blank + 1);
  const unprinted = Math.max(0, total - printed.length);
  const lines = body.filter((line) => line.trim() !== '');
  return {
    status,
    headers: new Map(printed.slice(1, blank).map(splitHeader)),
    lines,
    lineCount: lines.length + unprinted,
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line.toLowerCase(), ''];
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
