#!/bin/sh
# Detects the termination of this host (lifecycle hook of an Auto Scaling group, instance refresh,
# spot notice). It stops the intake at once, waits for all running jobs, and then completes the
# hook.
#
# It renews the hook's heartbeat. AWS ends the wait after a hundred timeouts or 48 hours.
set -u

imds=${IMDS_URL:-http://169.254.169.254}
container=${RUNNER_CONTAINER:-gitlab-runner}
poll=${POLL_SECONDS:-2}
timeout=${HOOK_HEARTBEAT_TIMEOUT:-0}
heartbeat=${HEARTBEAT_SECONDS:-60}
[ "$timeout" -eq 0 ] || [ $((timeout / 3)) -ge "$heartbeat" ] || heartbeat=$((timeout / 3))
quit=${QUIT_RUNNER:-/usr/local/lib/gitlab-runner/quit-runner.sh}
hook=${HOOK_NAME:-}
group=${AUTOSCALING_GROUP_NAME:-}
noted=${MACHINE_ROOT:-}/run/hosted-runner/$container.terminated

log() {
  echo "graceful-termination: $*"
}

# metadata PATH: prints the value, or fails without a value or response.
metadata() {
  session=$(curl -sf -m 2 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' \
    "$imds/latest/api/token") || return 1
  curl -sf -m 2 -H "X-aws-ec2-metadata-token: $session" "$imds/latest/meta-data/$1"
}

# Message after the intake has stopped.
waiting='the runner takes no more jobs; waiting for its running jobs'

# Prints the reason of the termination, or fails if there is none.
why_terminated() {
  if [ "$(metadata autoscaling/target-lifecycle-state)" = Terminated ]; then
    echo 'its Auto Scaling group terminates it'
  elif action=$(metadata spot/instance-action) && [ -n "$action" ]; then
    echo 'AWS reclaims the spot instance'
  else
    return 1
  fi
}

# Prints running, gone or unknown. A missing response of Docker does not prove that the process
# ended.
runner_state() {
  if response=$(docker inspect -f '{{.State.Running}}' "$container" 2>&1); then
    case $response in
    true) echo running ;;
    false) echo gone ;;
    *) echo unknown ;;
    esac
    return
  fi
  # Messages of Docker and Podman.
  case $response in
  *[Nn]'o such object'* | *[Nn]'o such container'*) echo gone ;;
  *) echo unknown ;;
  esac
}

# After a SIGTERM, any further signal ends the runner before it reports its jobs. hosted-runner
# writes down its own SIGTERM; runners since 19.1 report it themselves.
was_terminated() {
  process=$(docker inspect -f '{{.Id}} {{.State.StartedAt}}' "$container" 2>/dev/null) &&
    [ "$(cat "$noted" 2>/dev/null)" = "$process" ] && return
  [ "$(curl -fsS --noproxy '*' --max-time 2 http://127.0.0.1:9252/debug/process/state 2>/dev/null)" = forceful-shutdown ]
}

# Disables the restart first. Otherwise systemd or Docker restarts the process.
stop_intake() {
  docker update --restart=no "$container" >/dev/null 2>&1 || true
  ! was_terminated || return 0
  "$quit" "$container" >/dev/null 2>&1
}

# Another kind of runner overrides these functions.
# shellcheck source=/dev/null
[ -z "${HOST_STATE:-}" ] || . "$HOST_STATE"

now() {
  date +%s
}

hook_action() {
  [ -n "$hook" ] && [ -n "$group" ] || return 0
  aws autoscaling "$@" --region "$AWS_REGION" --lifecycle-hook-name "$hook" \
    --auto-scaling-group-name "$group" --instance-id "$INSTANCE_ID" >/dev/null
}

beat() {
  [ $(($(now) - beaten)) -ge "$heartbeat" ] || return 0
  if hook_action record-lifecycle-action-heartbeat; then
    beaten=$(now)
  else
    log 'AWS refused the heartbeat; retrying'
  fi
}

log_limit() {
  [ -n "$hook" ] && [ "$timeout" -gt 0 ] || return 0
  most=$((timeout < 1728 ? timeout * 100 : 172800))
  log "the group waits at most ${most}s; a longer job is lost"
}

drain() {
  log_limit
  beaten=0
  logged=''
  while state=$(runner_state) && [ "$state" != gone ]; do
    # Repeats the signal until the process ends, because the first signal may arrive before the
    # process is ready.
    if stop_intake && [ -z "$logged" ]; then
      log "$waiting"
      logged=yes
    fi
    beat
    sleep "$poll"
  done
  log 'the runner has ended'
}

complete_hook() {
  until hook_action complete-lifecycle-action --lifecycle-action-result CONTINUE; do
    log 'AWS refused to complete the hook; retrying'
    sleep "$poll"
  done
}

until reason=$(why_terminated); do
  sleep "$poll"
done
log "this host will be terminated: $reason"
drain
complete_hook
log 'done'
