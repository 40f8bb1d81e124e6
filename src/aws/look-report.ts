import type { HostReport } from '../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';
import { readHttpAnswer } from './http-answer.ts';
import { readProcess } from './process-state.ts';
import { oneLine } from './words.ts';

/** Strict: what the script did not print, or printed strangely, is unknown. */
export function readReport(output: HostOutput, redact: (text: string) => string): HostReport {
  const { process, restarts } = readProcess(output);
  const systemId = readSystemId(output);
  const version = readVersion(output);
  return {
    kind: 'report',
    process: refine(process, output),
    restarts,
    jobs: readJobs(output),
    ready: readReady(output),
    ...(systemId === undefined ? {} : { systemId }),
    ...(version === undefined ? {} : { version }),
    log: output.all('log').map((line) => oneLine(redact(line))),
  };
}

/** The container runs the whole time; what the runner in it does, it says itself (19.1 and later). */
function refine(process: HostReport['process'], output: HostOutput): HostReport['process'] {
  if (process !== 'running') return process;
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

/** An empty list means idle, so that nothing but the runner's own empty list may look like one. */
function readJobs(output: HostOutput): readonly string[] | undefined {
  const answer = readHttpAnswer(output, 'jobs');
  if (answer?.status !== 200 || !answer.headers.has('x-list-version')) return undefined;
  const unprinted = answer.lineCount - answer.lines.length;
  return [
    ...answer.lines.map((line) => oneLine(line)),
    ...Array.from({ length: unprinted }, () => 'a job that the host did not print'),
  ];
}

function readReady(output: HostOutput): HostReport['ready'] {
  const answer = readHttpAnswer(output, 'ready');
  if (answer === undefined || answer.status === 404) return 'not_offered';
  return answer.status === 200 ? 'ready' : 'not_ready';
}

// https://docs.gitlab.com/runner/fleet_scaling/#view-runner-managers
const systemIdPattern = /^[sr]_[0-9a-zA-Z]{12}$/;

function readSystemId(output: HostOutput): string | undefined {
  const metrics = output
    .all('metric')
    .flatMap((line) => /system_id="([^"]*)"/.exec(line)?.[1] ?? []);
  return [...output.all('system_id').map((text) => text.trim()), ...metrics].find((text) =>
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
