# shellcheck shell=sh
# What graceful-termination.sh and launch-admission.sh ask of a host of GitHub's runner; they read it.

# GitHub lets no host pause its own runner. Nothing starts the listener again, and it is ended between
# two jobs: a signal while it has one would end the job.
# shellcheck disable=SC2034 # read by who reads this file
waiting='nothing starts the runner again; waiting for the job that runs'
unit=${RUNNER_UNIT:-actions-runner.service}
run=${SYSTEMD_RUN:-/run/systemd/system}

# 0: a job runs, 1: none, else: not known.
works() {
  pgrep -f '[R]unner\.Worker spawnclient' >/dev/null 2>&1
}

# running, gone, or unknown: no answer of systemd is not an end of the process.
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

close_intake() {
  if ! [ -e "$run/$unit.d/graceful-termination.conf" ]; then
    mkdir -p "$run/$unit.d" &&
      printf '[Service]\nRestart=no\n' >"$run/$unit.d/graceful-termination.conf" &&
      systemctl daemon-reload || return 1
  fi
  works
  [ $? = 1 ] || return 0
  if [ "$(systemctl show --property=MainPID --value "$unit")" = 0 ]; then
    # It still waits for its token.
    systemctl stop "$unit"
  else
    systemctl kill --signal=SIGINT --kill-who=main "$unit"
  fi
}

# shellcheck disable=SC2034 # read by who reads this file
ready='the runner listens for jobs'

# Prints what is missing; nothing where GitHub has given this very process a session. What an earlier
# process of the unit has said is no word of this one.
what_is_missing() {
  case $(systemctl is-active "$unit" 2>/dev/null) in
  active) ;;
  activating) echo 'the runner waits for its token and an open intake, or registers' && return ;;
  *) echo 'the runner does not run' && return ;;
  esac
  process=$(systemctl show --property=InvocationID --value "$unit" 2>/dev/null)
  lacks=$(what_it_lacks "$process")
  if [ -z "$lacks" ]; then
    # One whose version has ended is given a session, listens, and is refused a moment later.
    sleep "${LISTENING_SECONDS:-15}"
    lacks=$(what_it_lacks "$process")
    [ "$(systemctl is-active "$unit" 2>/dev/null)" = active ] || lacks='the runner does not run'
  fi
  [ -z "$lacks" ] || echo "$lacks"
}

what_it_lacks() {
  if [ -z "$1" ] ||
    ! said=$(journalctl --quiet --output=cat "_SYSTEMD_INVOCATION_ID=$1" 2>/dev/null); then
    echo 'what the runner says cannot be read'
    return
  fi
  case $said in
  *'is deprecated and cannot receive messages'*)
    echo 'GitHub takes no runner of this version any more' ;;
  *'Listening for Jobs'*) ;;
  *) echo 'GitHub has not given the runner a session yet' ;;
  esac
}
