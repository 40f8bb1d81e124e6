import type { RunnerHost } from '../ports/runner-host.ts';
import { type HostOutput, parseHostOutput } from './host-output.ts';
import { oneLine } from './words.ts';

const refusals: Readonly<Record<string, string>> = {
  unknown_container: 'docker does not know the container',
  unknown_unit: 'systemd does not know the unit',
  no_docker: 'the host has no docker command',
  no_systemd: 'the host has no systemd',
  restart_stays: 'the restart could not be disabled, so that nothing was stopped',
  wrong_state: 'the container cannot take a signal now',
  signal_failed: 'the signal could not be sent',
  wrapper_silent: 'the gRPC wrapper did not answer, and a signal to it would kill the jobs',
  wrapper_refused: 'the gRPC wrapper did not pass the shutdown on to the runner in it',
  runs_a_job: 'the runner has a job after all, so that nothing was stopped',
  workers_unknown: 'whether the runner has a job could not be seen, so that nothing was stopped',
  start_failed: 'the runner could not be started',
  still_running: 'the process did not end after SIGTERM and SIGKILL',
};

/** What a script that starts the process says it did. */
export function judgeStart(
  text: string,
  redact: (text: string) => string,
): Awaited<ReturnType<RunnerHost['start']>> {
  const output = parseHostOutput(text);
  const result = output.first('result');
  if (result === 'started' && output.complete) return { kind: 'started' };
  if (result === 'already_running' && output.complete) return { kind: 'already_running' };
  return { kind: 'refused', reason: refusalOf(output, redact) };
}

/** What a script that stops the process says it did. No word of it is a refusal, never a success. */
export function judgeStop(
  text: string,
  redact: (text: string) => string,
): Awaited<ReturnType<RunnerHost['quit']>> {
  const output = parseHostOutput(text);
  const result = output.first('result');
  if (result === 'sent' && output.complete) return { kind: 'sent' };
  if ((result === 'already_stopped' || result === 'stopped') && output.complete) {
    return { kind: 'already_stopped' };
  }
  return { kind: 'refused', reason: refusalOf(output, redact) };
}

function refusalOf(output: HostOutput, redact: (text: string) => string): string {
  const detail = oneLine(redact(output.first('detail') ?? ''));
  const reason = refusals[output.first('result') ?? ''] ?? 'the script did not say what it did';
  return detail === '' ? reason : `${reason}: "${detail}"`;
}
