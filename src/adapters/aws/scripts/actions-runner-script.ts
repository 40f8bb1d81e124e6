import type { HostSettings } from '../../../domain/settings.ts';
import { untilListenerIdle } from './idle-wait-script.ts';
import {
  marks,
  readJournal,
  reportCheck,
  type ScriptValues,
  script,
  shownProperty,
  unitName,
  unitProperties,
} from './script-parts.ts';
import { quitUnit } from './unit-script.ts';

/**
 * The count itself, in awk. `host-state.sh` of the reference module has the very same lines: who ends a
 * host from outside asks what we ask.
 */
export const countOpenMessages = String.raw`
    / INFO Listener\] Runner is built for / { jobs = 0; message = 0; next }
    / INFO (Broker)?MessageListener\] Message .* received/ { message = 1; next }
    / INFO (Broker)?MessageListener\] No message retrieved / { message = 0; next }
    / INFO JobDispatcher\] Job request .* received\./ { message = 0; jobs++; next }
    / INFO (Broker)?MessageListener\] Received job status event\. JobState: Online/ { if (jobs > 0) jobs--; next }
    / INFO JobDispatcher\] Job cancellation request / { message = 0; next }
    / (INFO|ERR ) Runner\] (Skipping message Job|Caught exception from acquiring job message|Skip message deletion|Refresh message received|Received ForceTokenRefreshMessage|No session restart needed|Runner configuration was updated|Received message .* with unsupported message type)/ { message = 0 }
    END { print jobs + message }
`.slice(1, -1);

/**
 * Defines `open_messages FOLDER`: prints how many messages the listener has received whose job has no
 * end yet, by its own record; its code is 1 where there is no record that could be read. It replaces the shell, so
 * that it is called in a subshell.
 *
 * actions/runner v2.336.0 writes each message down before it acknowledges or acquires the job
 * (`GetNextMessageAsync` of MessageListener.cs and BrokerMessageListener.cs), and flushes the file with
 * each line (HostTraceListener.cs, `WriteLine`). `JobDispatcher.Run` writes the job's arrival, and the
 * last act of a job, however it ended, is `JobState: Online` (JobDispatcher.cs, `RunAsync`). A message
 * that was no job, or whose job was not given, has a line of its own in Runner.cs. One that is followed
 * by none of these stays open: that is waited for, never guessed.
 *
 * A page has 8 MB and a page's name begins with the time, so that three of them are enough for
 * whatever is open, and a start of the listener begins anew.
 */
const openMessages = `
open_messages() {
  [ ! -L "$1/_diag" ] || return 1
  set -- "$1"/_diag/Runner_*-utc.log
  while [ $# -gt 3 ]; do shift; done
  are_plain "$@" || return 1
  exec timeout -k 2 20 awk '
${countOpenMessages}
  ' "$@"
}
`.trim();

/**
 * Defines `are_plain FILE…`: whether each of them is a file by itself. A job has the runner's folder, so that
 * a name in it may be a link to a file that only root reads, or a pipe that never ends. Root reads plain
 * files there, for a bounded time, and starts no program from there: a job can replace each of them.
 */
const plainFiles = `
are_plain() {
  for file; do
    [ -f "$file" ] && [ -r "$file" ] && [ ! -L "$file" ] || return 1
  done
}
`.trim();

type ActionsRunner = Extract<HostSettings['process'], { kind: 'actions_runner' }>;

/**
 * GitHub's runner has no endpoint that tells its jobs. Each job is a process of its own,
 * `Runner.Worker`; but a job is held for seconds before there is one (acknowledge, acquire, first
 * renewal), and only the listener's record knows of it then.
 * https://github.com/actions/runner/blob/v2.336.0/src/Runner.Listener/JobDispatcher.cs
 */
export function checkActionsRunner({ unit }: ActionsRunner, wait: ScriptValues): string {
  const idle = [untilListenerIdle, 'until_idle'];
  return script({
    values: { name: unitName(unit), ...wait },
    body: [shownProperty, workers, plainFiles, openMessages, ...idle, marks, look].join('\n'),
  });
}

/**
 * Ends the listener, and never while it has a job. No signal asks it to take no more: SIGINT and SIGTERM
 * cancel a job that has just come. So the restart goes off, the listener is frozen, and only then its
 * workers and its record are read: what it holds now it holds until it is thawed. With a job it is
 * thawed and goes on; without, it is killed while it is frozen. What GitHub has sent and a frozen
 * listener has not read is not acquired: GitHub gives it to another runner after a minute.
 * https://github.com/actions/runner/issues/3308
 */
export function quitActionsRunner({ unit }: ActionsRunner): string {
  return script({
    values: { name: unitName(unit) },
    body: [unitProperties, workers, plainFiles, openMessages, freezing, quit].join('\n'),
  });
}

// In brackets, so that the pattern does not find the command that looks for it.
const workersCommand = String.raw`timeout -k 2 10 pgrep -f '[R]unner\.Worker spawnclient'`;
const processesCommand = String.raw`timeout -k 2 10 pgrep -f '[R]unner\.(Listener run|Worker spawnclient)'`;

const workers = `
workers() { ${workersCommand}; }
`.trim();

/**
 * The name is from the runner's own file. The version is from the listener's record, whose head each start writes
 * anew; the page with the head may be older than those that `open_messages` reads.
 * https://github.com/actions/runner/blob/v2.336.0/src/Runner.Listener/Program.cs
 */
const look = String.raw`
record() {
  set -- "$1/_diag" "$1/.runner" "$1"/_diag/Runner_*-utc.log
  diagnostics=$1
  shift
  if are_plain "$1"; then has_name=0; else has_name=1; shift; fi
  if [ $has_name = 1 ]; then
    [ ! -L "$diagnostics" ] && are_plain "$@" || return
  elif [ -L "$diagnostics" ] || ! are_plain "$@"; then
    set -- "$1"
  fi
  timeout -k 2 10 head -q -n 40 "$@" 2>/dev/null
  mark record $has_name
}
look() {
  date +%s
  mark clock 0
  shown=$(exec timeout -k 2 10 systemctl show --property=LoadState,ActiveState,SubState,Restart,Job,WorkingDirectory,MainPID "$name" 2>&1)
  set -- $?
  printf '%s\n' "$shown"
  mark show "$1"
  workers
  mark workers $?
  property WorkingDirectory
  home=$value
  property MainPID
  if [ "$value" != 0 ]; then
    (open_messages "$home")
    mark messages $?
  fi
  [ -z "$home" ] || record "$home"
  ${readJournal}
}
${reportCheck('look')}
`.trim();

// A script that is ended in between leaves nothing frozen: a listener that sleeps loses its job.
// The kernel escapes line breaks of a process's name in `status`: the first line `State:` is the kernel's.
const freezing = `
main_signal() { systemctl kill --signal="$1" --kill-who=main "$name" 2>&1; }
thaw() { trap - EXIT HUP INT TERM; main_signal SIGCONT >/dev/null; }
is_frozen() {
  state=
  while read -r key state _ && [ "$key" != State: ]; do :; done 2>/dev/null <"/proc/$1/status"
  case $state in T | t) return 0 ;; *) return 1 ;; esac
}
freeze() {
  trap 'thaw; exit 1' HUP INT TERM
  trap thaw EXIT
  main_signal SIGSTOP >/dev/null || return 1
  tries=0
  until is_frozen "$1"; do
    [ $tries -lt 5 ] || return 1
    sleep 1
    tries=$((tries + 1))
  done
}
is_listener() {
  case $newline$processes$newline in *"$newline$1$newline"*) return 0 ;; *) return 1 ;; esac
}
`.trim();

// Workers outlive a listener that has crashed, so that they are looked for without one as well. If the main
// process is the only one of both kinds, no worker lives. Otherwise the workers are listed separately.
const quit = quitUnit({
  signal: 'SIGKILL',
  before: `
  idle() {
    found=$(exec ${workersCommand})
    case $? in
      0) detail "process $found"; say result runs_a_job; return 1 ;;
      1) return 0 ;;
      *) say result workers_unknown; return 1 ;;
    esac
  }
  property MainPID
  processes=$(exec ${processesCommand}) || processes=unknown
  [ "$processes" = "$value" ] || idle || return
`.trim(),
  instead: `
  property MainPID
  pid=$value
  property WorkingDirectory
  home=$value
  is_listener "$pid" || { say result not_listener; return; }
  freeze "$pid" || { thaw; say result not_frozen; return; }
  idle || { thaw; return; }
  held=$(open_messages "$home") || { thaw; say result record_unreadable; return; }
  [ "$held" = 0 ] || { thaw; say detail "$held open"; say result has_message; return; }
`.trim(),
  // A killed listener needs no SIGCONT.
  after: 'trap - EXIT HUP INT TERM',
});
