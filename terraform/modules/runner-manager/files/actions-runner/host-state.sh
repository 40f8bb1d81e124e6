# shellcheck shell=sh
# What graceful-termination.sh asks of a host of GitHub's runner; it reads this file.

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
