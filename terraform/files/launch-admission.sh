#!/bin/sh
# Completes the launch hook of the host's Auto Scaling group. It admits the host when its runner is
# ready and the CI has responded to it; otherwise it abandons the host. A missing observation never
# counts as healthy.
#
# Set the hook's default result to ABANDON and its heartbeat timeout to at most five minutes. Then a
# host on which this program does not run is not admitted either.
set -u

imds=${IMDS_URL:-http://169.254.169.254}
runner=${RUNNER_URL:-http://127.0.0.1:9252}
unit=${RUNNER_UNIT:-gitlab-runner.service}
poll=${POLL_SECONDS:-2}
heartbeat=${HEARTBEAT_SECONDS:-60}
most=${ADMISSION_SECONDS:-900}
hook=${LAUNCH_HOOK_NAME:-}
group=${AUTOSCALING_GROUP_NAME:-}

log() {
  echo "launch-admission: $*"
}

now() {
  date +%s
}

# Prints the target lifecycle state of this host. Prints nothing outside a group or without a
# response.
wanted_state() {
  session=$(curl -sf -m 2 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' \
    "$imds/latest/api/token") || return 0
  curl -sf -m 2 -H "X-aws-ec2-metadata-token: $session" \
    "$imds/latest/meta-data/autoscaling/target-lifecycle-state" || true
}

# hook_action ARGUMENTS: fails if AWS refuses it. Ends this program if the hook no longer waits.
hook_action() {
  if response=$(aws autoscaling "$@" --region "$AWS_REGION" --lifecycle-hook-name "$hook" \
    --auto-scaling-group-name "$group" --instance-id "$INSTANCE_ID" 2>&1); then
    return 0
  fi
  case $response in
  *'No active Lifecycle Action found'*)
    log 'the hook no longer waits for this host'
    exit 0
    ;;
  esac
  return 1
}

complete_hook() {
  until hook_action complete-lifecycle-action --lifecycle-action-result "$1"; do
    log "AWS refused the result $1; retrying"
    sleep "$poll"
  done
}

beat() {
  [ $(($(now) - beaten)) -ge "$heartbeat" ] || return 0
  if hook_action record-lifecycle-action-heartbeat; then
    beaten=$(now)
  else
    log 'AWS refused the heartbeat; retrying'
  fi
}

# Prints the missing condition, or nothing if the runner is ready. Runners before 19.2 lack this
# page.
missing_condition() {
  code=$(curl -s -m 5 -o /dev/null -w '%{http_code}' "$runner/health/ready") || code=000
  case $code in
  200 | 404) ;;
  000) echo 'the runner does not respond' && return ;;
  *) echo "the runner reports that it is not ready ($code)" && return ;;
  esac
  if ! metrics=$(curl -sf -m 5 "$runner/metrics"); then
    echo 'the runner returns no metrics'
    return
  fi
  requests=$(printf '%s\n' "$metrics" | grep '^gitlab_runner_api_request_statuses_total{') || requests=''
  if printf '%s\n' "$requests" | grep -q 'status="20[0-9]".* [1-9]'; then
    return
  elif printf '%s\n' "$requests" | grep -q 'status="40[13]"'; then
    echo 'GitLab refuses the token'
  else
    echo 'GitLab has not responded to the runner yet'
  fi
}

# Message for an admitted host.
ready='the runner is ready, and GitLab has responded to it'

# Another kind of runner overrides these functions.
# shellcheck source=/dev/null
[ -z "${HOST_STATE:-}" ] || . "$HOST_STATE"

if [ -z "$hook" ] || [ -z "$group" ]; then
  log 'the group has no launch hook; nothing to do'
  exit 0
fi

until [ "$(wanted_state)" = InService ]; do
  sleep "$poll"
done

begun=$(now)
beaten=$begun
logged=''
while missing=$(missing_condition) && [ -n "$missing" ]; do
  if systemctl is-failed --quiet "$unit"; then
    log "abandoned: $unit has failed permanently"
    complete_hook ABANDON
    exit 1
  fi
  if [ $(($(now) - begun)) -ge "$most" ]; then
    log "abandoned after ${most}s: $missing"
    complete_hook ABANDON
    exit 1
  fi
  if [ "$missing" != "$logged" ]; then
    log "waiting: $missing"
    logged=$missing
  fi
  beat
  sleep "$poll"
done
complete_hook CONTINUE
log "admitted: $ready"
