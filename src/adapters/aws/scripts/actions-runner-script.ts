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
 * Counts open messages, in awk. `host-state.sh` of the reference module has the same lines, for
 * hosts that are ended from outside.
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
 * Defines `open_messages FOLDER`, which replaces its shell and needs a subshell. It prints the
 * number of received messages whose job has no end in the listener's log. Its code is 1 if the log
 * cannot be read.
 *
 * actions/runner v2.336.0 writes each message before it acknowledges or acquires the job
 * (`GetNextMessageAsync` of MessageListener.cs and BrokerMessageListener.cs). It flushes the file
 * with each line (HostTraceListener.cs, `WriteLine`). `JobDispatcher.Run` writes the job's arrival.
 * The last act of each job is `JobState: Online` (JobDispatcher.cs, `RunAsync`). Runner.cs writes a
 * line for a message without a job, or whose job went to another runner. A message without any of
 * these lines stays open: the drain waits for it and never guesses.
 *
 * A page of the log has 8 MB, and its name begins with the time. Three pages cover all open
 * messages. A start of the listener begins a new page.
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
 * Defines `are_plain FILE…`, which checks that each is a regular file. A job can write to the
 * runner's folder. A name in it may be a link to a file that only root may read, or a pipe without
 * an end. Root therefore reads only regular files there, for a limited time, and starts no program
 * from there.
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
 * Checks a host with GitHub's runner, which has no endpoint for its jobs. Each job has its own
 * process, `Runner.Worker`. A job is held for seconds before that process starts (acknowledge,
 * acquire, first renewal). During that time, only the listener's log shows it.
 * https://github.com/actions/runner/blob/v2.336.0/src/Runner.Listener/JobDispatcher.cs
 */
export function checkActionsRunner({ unit }: ActionsRunner, wait: ScriptValues): string {
  const idle = [untilListenerIdle, 'until_idle'];
  return script({
    values: { name: unitName(unit), ...wait },
    body: [shownProperty, workers, plainFiles, openMessages, ...idle, marks, readHost].join('\n'),
  });
}

/**
 * Ends the listener, and never while it has a job. No signal makes it refuse new jobs: SIGINT and
 * SIGTERM cancel a job that has just arrived. The script therefore disables the restart, freezes
 * the listener, and then reads its workers and its log. A frozen listener cannot receive another
 * job. If it has a job, it is thawed and continues. Otherwise it is killed while frozen. GitHub
 * gives a job that the frozen listener did not acquire to another runner after a minute.
 * https://github.com/actions/runner/issues/3308
 */
export function quitActionsRunner({ unit }: ActionsRunner): string {
  return script({
    values: { name: unitName(unit) },
    body: [unitProperties, workers, plainFiles, openMessages, freezing, quit].join('\n'),
  });
}

// The brackets keep the pattern from matching pgrep's own command line.
const workersCommand = String.raw`timeout -k 2 10 pgrep -f '[R]unner\.Worker spawnclient'`;
const processesCommand = String.raw`timeout -k 2 10 pgrep -f '[R]unner\.(Listener run|Worker spawnclient)'`;

const workers = `
workers() { ${workersCommand}; }
`.trim();

/**
 * The name comes from the runner's own file, and the version from the head of the listener's log.
 * Each start writes a new head. Its page may be older than the pages that `open_messages` reads.
 * https://github.com/actions/runner/blob/v2.336.0/src/Runner.Listener/Program.cs
 */
const readHost = String.raw`
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
read_host() {
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
${reportCheck('read_host')}
`.trim();

// A script that is interrupted leaves no listener frozen: a frozen listener loses its job. The
// kernel escapes line breaks of a process's name in `status`, so the first line `State:` is the
// kernel's.
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

// Workers outlive a crashed listener, so they are listed without one as well. If the main process
// is the only process of both kinds, no worker lives. Otherwise the workers are listed separately.
const quit = quitUnit({
  signal: 'SIGKILL',
  before: `
  idle() {
    found=$(exec ${workersCommand})
    case $? in
      0) detail "process $found"; print result runs_a_job; return 1 ;;
      1) return 0 ;;
      *) print result workers_unknown; return 1 ;;
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
  is_listener "$pid" || { print result not_listener; return; }
  freeze "$pid" || { thaw; print result not_frozen; return; }
  idle || { thaw; return; }
  held=$(open_messages "$home") || { thaw; print result record_unreadable; return; }
  [ "$held" = 0 ] || { thaw; print detail "$held open"; print result has_message; return; }
`.trim(),
  // A killed listener needs no SIGCONT.
  after: 'trap - EXIT HUP INT TERM',
});
