import { oneLine } from '../line-text.ts';
import { type HostOutput, parseHostOutput } from './host-output.ts';

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
  wrapper_old:
    'the gRPC wrapper has no call that ends jobs (gitlab-runner before 17.10), and a signal to it gives them ten seconds',
  mark_failed:
    'the host cannot note that its runner is told to end, and a second signal would lose what its jobs report',
  workers_unknown: 'whether the runner has a job could not be seen, so that nothing was stopped',
  not_listener:
    "the unit's main process is not Runner.Listener itself, so that it cannot be frozen and nothing was stopped",
  not_frozen: 'the listener could not be frozen, so that nothing was stopped',
  record_unreadable:
    "the listener's own record (_diag/Runner_*.log) cannot be read, so that nothing was stopped",
  start_failed: 'the runner could not be started',
  still_running: 'the process did not end after SIGTERM and SIGKILL',
};

type Refused = { readonly kind: 'refused'; readonly reason: string };

/** What a script that starts the process says it did. */
export function judgeStart(text: string, redact: (text: string) => string) {
  const words = { started: 'started', already_running: 'already_running' } as const;
  return judge({ text, redact, words });
}

/** Read first, because such a process goes on: nothing is wrong with the host. */
const busy: Readonly<Record<string, string>> = {
  runs_a_job: 'the runner has a job after all, so that it goes on',
  has_message: 'the listener holds a message that has no end yet, so that it goes on',
};

/** What a script that ends an idle process says it did. */
export function judgeQuit(text: string, redact: (text: string) => string) {
  const output = parseHostOutput(text);
  const reason = busy[output.first('result') ?? ''];
  if (reason !== undefined && output.complete) return { kind: 'busy', reason } as const;
  return judgeStop(text, redact);
}

/** What a script that stops the process says it did. */
export function judgeStop(text: string, redact: (text: string) => string) {
  const words = {
    sent: 'sent',
    already_stopped: 'already_stopped',
    stopped: 'already_stopped',
  } as const;
  return judge({ text, redact, words });
}

/** No word of it, or one that was cut off, is a refusal, never a success. */
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
  const reason = refusals[output.first('result') ?? ''] ?? 'the script did not say what it did';
  return detail === '' ? reason : `${reason}: "${detail}"`;
}
