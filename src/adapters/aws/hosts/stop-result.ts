import { oneLine } from '../line-text.ts';
import { type HostOutput, parseHostOutput } from './host-output.ts';

const refusals: Readonly<Record<string, string>> = {
  unknown_container: 'docker lists no such container',
  unknown_unit: 'systemd has no such unit',
  no_docker: 'the host has no docker command',
  no_systemd: 'the host has no systemd',
  restart_stays: 'the restart could not be disabled, so nothing was stopped',
  wrong_state: 'the container cannot receive a signal now',
  signal_failed: 'the signal could not be sent',
  wrapper_silent: 'the gRPC wrapper did not respond, and a signal to it would kill the jobs',
  wrapper_refused: 'the gRPC wrapper did not forward the shutdown to its runner',
  wrapper_old:
    'the gRPC wrapper has no call that ends jobs (gitlab-runner before 17.10), and a signal to it gives them ten seconds',
  mark_failed:
    'the host cannot record the stop of its runner, and a second signal would lose job reports',
  workers_unknown: 'it is unknown whether the runner has a job, so nothing was stopped',
  not_listener:
    "the unit's main process is not Runner.Listener, so it cannot be frozen and nothing was stopped",
  not_frozen: 'the listener could not be frozen, so nothing was stopped',
  record_unreadable:
    "the listener's log (_diag/Runner_*.log) cannot be read, so nothing was stopped",
  start_failed: 'the runner could not be started',
  still_running: 'the process did not end after SIGTERM and SIGKILL',
};

type Refused = { readonly kind: 'refused'; readonly reason: string };

/** Reads the result of a script that starts the process. */
export function judgeStart(text: string, redact: (text: string) => string) {
  const words = { started: 'started', already_running: 'already_running' } as const;
  return judge({ text, redact, words });
}

/** Results that are read first: the process continues, and the host is healthy. */
const busy: Readonly<Record<string, string>> = {
  runs_a_job: 'the runner has a job after all, so it continues',
  has_message: 'the listener holds an unfinished message, so it continues',
};

/** Reads the result of a script that ends an idle process. */
export function judgeQuit(text: string, redact: (text: string) => string) {
  const output = parseHostOutput(text);
  const reason = busy[output.first('result') ?? ''];
  if (reason !== undefined && output.complete) return { kind: 'busy', reason } as const;
  return judgeStop(text, redact);
}

/** Reads the result of a script that stops the process. */
export function judgeStop(text: string, redact: (text: string) => string) {
  const words = {
    sent: 'sent',
    already_stopped: 'already_stopped',
    stopped: 'already_stopped',
  } as const;
  return judge({ text, redact, words });
}

/** Reads a result. A missing or truncated result is a refusal, never a success. */
function judge<Kind extends string>({
  text,
  redact,
  words,
}: {
  text: string;
  redact: (text: string) => string;
  words: Readonly<Record<string, Kind>>;
}): { readonly kind: Kind } | Refused {
  const output = parseHostOutput(text);
  const kind = new Map(Object.entries(words)).get(output.first('result') ?? '');
  if (kind !== undefined && output.complete) return { kind };
  return { kind: 'refused', reason: refusalOf(output, redact) };
}

function refusalOf(output: HostOutput, redact: (text: string) => string): string {
  const detail = oneLine(redact(output.first('detail') ?? ''));
  const reason = refusals[output.first('result') ?? ''] ?? 'the script did not report its result';
  return detail === '' ? reason : `${reason}: "${detail}"`;
}
