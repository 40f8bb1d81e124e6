# shellcheck shell=sh
# Functions of graceful-termination.sh and launch-admission.sh for a host of a GitHub runner.

# A host cannot pause its own GitHub runner, and SIGINT cancels a job that has just started. The
# listener is therefore not restarted, and is frozen and killed between two jobs.
# shellcheck disable=SC2034 # used by the program that sources this file
waiting='the runner will not restart; waiting for its running job'
unit=${RUNNER_UNIT:-actions-runner.service}
run=${SYSTEMD_RUN:-/run/systemd/system}
home=${RUNNER_HOME:-/opt/actions-runner}

# Returns 0 if a job runs, 1 if none runs, and another code if unknown.
works() {
  pgrep -f '[R]unner\.Worker spawnclient' >/dev/null 2>&1
}

# Prints running, gone or unknown. A missing response of systemd does not prove that the process
# ended.
runner_state() {
  works
  case $? in
  0) echo running && return ;;
  1) ;;
  *) echo unknown && return ;;
  esac
  case $(systemctl is-active "$unit" 2>/dev/null) in
  active | activating | deactivating | reloading) echo running ;;
  inactive | failed) echo gone ;;
  *) echo unknown ;;
  esac
}

stop_intake() {
  if ! [ -e "$run/$unit.d/graceful-termination.conf" ]; then
    mkdir -p "$run/$unit.d" &&
      printf '[Service]\nRestart=no\n' >"$run/$unit.d/graceful-termination.conf" &&
      systemctl daemon-reload || return 1
  fi
  is_idle || return 0
  pid=$(systemctl show --property=MainPID --value "$unit")
  case $pid in
  0) systemctl stop "$unit" ;; # It still waits for its token.
  *[!0-9]* | '') log_once 'systemd does not report the main process' ;;
  *) kill_frozen "$pid" ;;
  esac
}

# Succeeds without a worker process and without an unfinished message.
is_idle() {
  works
  [ $? = 1 ] || return 1
  if ! held=$(open_messages); then
    log_once "the runner's log ($home/_diag/Runner_*.log) cannot be read; no process is ended"
    return 1
  fi
  [ "$held" = 0 ]
}

# Counts the messages whose job has not ended. hosted-runner counts the same lines. The listener
# writes each message down before it acquires the job.
open_messages() {
  [ ! -L "$home/_diag" ] || return 1
  set -- "$home"/_diag/Runner_*-utc.log
  while [ $# -gt 3 ]; do shift; done
  # Jobs can write to this folder. A link could lead to any file of root, and a pipe never ends.
  for file; do
    [ -f "$file" ] && [ -r "$file" ] && [ ! -L "$file" ] || return 1
  done
  timeout 20 awk '
    / INFO Listener\] Runner is built for / { jobs = 0; message = 0; next }
    / INFO (Broker)?MessageListener\] Message .* received/ { message = 1; next }
    / INFO (Broker)?MessageListener\] No message retrieved / { message = 0; next }
    / INFO JobDispatcher\] Job request .* received\./ { message = 0; jobs++; next }
    / INFO (Broker)?MessageListener\] Received job status event\. JobState: Online/ { if (jobs > 0) jobs--; next }
    / INFO JobDispatcher\] Job cancellation request / { message = 0; next }
    / (INFO|ERR ) Runner\] (Skipping message Job|Caught exception from acquiring job message|Skip message deletion|Refresh message received|Received ForceTokenRefreshMessage|No session restart needed|Runner configuration was updated|Received message .* with unsupported message type)/ { message = 0 }
    END { print jobs + message }
  ' "$@"
}

kill_frozen() {
  if ! pgrep -f '[R]unner\.Listener run' | grep -qx "$1"; then
    log_once 'the main process of the unit is not Runner.Listener; no process is ended'
    return
  fi
  # Resumes the listener if this program is ended, because a frozen listener loses its job.
  trap 'thaw; exit 143' HUP INT TERM
  trap thaw EXIT
  if ! freeze "$1"; then
    log_once 'the runner does not freeze; no process is ended'
  elif is_idle; then
    signal SIGKILL
  fi
  thaw
}

signal() { systemctl kill --signal="$1" --kill-who=main "$unit" >/dev/null 2>&1; }

freeze() {
  signal SIGSTOP || return 1
  tries=0
  until is_frozen "$1"; do
    [ "$tries" -lt 5 ] || return 1
    sleep 1
    tries=$((tries + 1))
  done
}

is_frozen() {
  case $(ps -o stat= -p "$1") in [Tt]*) ;; *) return 1 ;; esac
}

thaw() {
  trap - EXIT HUP INT TERM
  signal SIGCONT || :
}

# Printed once, with the message of the service.
last_logged=''
log_once() {
  [ "$1" = "$last_logged" ] || log "$1"
  last_logged=$1
}

# shellcheck disable=SC2034 # used by the program that sources this file
ready='the runner listens for jobs'

# Prints the missing condition, or nothing if this process has a session with GitHub. Messages of
# earlier processes of the unit do not count.
missing_condition() {
  case $(systemctl is-active "$unit" 2>/dev/null) in
  active) ;;
  activating) echo 'the runner waits for its token or its intake, or registers' && return ;;
  *) echo 'the runner does not run' && return ;;
  esac
  process=$(systemctl show --property=InvocationID --value "$unit" 2>/dev/null)
  lacks=$(missing_in_journal "$process")
  if [ -z "$lacks" ]; then
    # A runner with an expired version gets a session, listens, and is refused a moment later.
    sleep "${LISTENING_SECONDS:-15}"
    lacks=$(missing_in_journal "$process")
    [ "$(systemctl is-active "$unit" 2>/dev/null)" = active ] || lacks='the runner does not run'
  fi
  [ -z "$lacks" ] || echo "$lacks"
}

missing_in_journal() {
  if [ -z "$1" ] ||
    ! journal=$(journalctl --quiet --output=cat "_SYSTEMD_INVOCATION_ID=$1" 2>/dev/null); then
    echo 'the journal of the runner cannot be read'
    return
  fi
  case $journal in
  *'is deprecated and cannot receive messages'*)
    echo 'GitHub no longer accepts this runner version' ;;
  *'Listening for Jobs'*) ;;
  *) echo 'GitHub has not opened a session for the runner yet' ;;
  esac
}
