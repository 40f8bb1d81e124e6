#!/bin/sh
# Runs as root before each start of the unit, and registers this host once with the current labels
# of its shard. No image, user data or Terraform state contains the token. Only root reads it,
# because jobs cannot use the host's role.
set -eu

home=${RUNNER_HOME:-/opt/actions-runner}
user=${RUNNER_USER:-runner}
umask 077
# systemd sets the home of the unit's user. Jobs can write files there that a program of root would
# read, such as .aws/config.
runner_home=${HOME:-$home}
export HOME=/root
cd /

# Jobs can write to the runner's folder, so root reads, writes and starts nothing there.
in_folder() {
  # shellcheck disable=SC2016 # expanded by the shell of the user
  runuser -u "$user" -- sh -c 'export HOME="$1"; cd "$2" && shift 2 && exec "$@"' sh "$runner_home" "$home" "$@"
}

forget() { in_folder rm -f .runner .credentials .credentials_rsaparams; }

# Prints the name of the newest log of the listener.
was_deleted() {
  # shellcheck disable=SC2016 # expanded by the shell of the user
  in_folder sh -c 'for file in _diag/Runner_*-utc.log; do last=$file; done
    grep -qs "registration has been deleted from the server" "$last"'
}

# GitHub deletes an ephemeral runner that was offline for a day. Its listener would then end at each
# start.
if [ "${EPHEMERAL:-false}" != false ] && was_deleted; then forget; fi

# A persistent runner stays registered across restarts, and a removed runner never returns by
# itself. A removed runner of version 2.336 or later has deleted its settings; the paused intake
# prevents a new registration.
! in_folder test -s .runner || exit 0

# Prints the time of the last change, a tab and the value.
parameter() {
  aws ssm get-parameter --region "$AWS_REGION" --name "$1" --with-decryption \
    --query 'Parameter.[LastModifiedDate,Value]' --output text
}

# Prints the seconds since a time in the format of either version of the AWS CLI.
age() {
  case $1 in
  *T*) written=$(date -d "$1" +%s) ;;
  *) written=${1%.*} ;;
  esac
  echo $(($(date +%s) - written))
}

# Registers no runner while the intake is paused, because it would have to be removed again. A token
# is valid for an hour and must not expire during a registration. A job can outlive a crashed
# listener, and a registration would end that job.
can_register() {
  why='a job of this host still runs'
  pgrep -u "$user" -f '[R]unner\.Worker spawnclient' >/dev/null
  [ $? = 1 ] || return 1
  why="no token or no fleet of $SHARD"
  found=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_token") && [ -n "$found" ] || return 1
  token=${found#*"$tab"}
  [ "$token" != '(none: retired)' ] || return 1
  old=$(age "${found%%"$tab"*}") || return 1
  found=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_fleet") && [ -n "$found" ] || return 1
  fleet=${found#*"$tab"}
  why="the fleet of $SHARD is not open"
  [ "$(printf '%s' "$fleet" | jq -r .intake)" = open ] || return 1
  why="the token of $SHARD has ended: GitHub takes none after an hour; hosted-runner renew --runner $RUNNER_NAME writes a new one"
  [ "$old" -lt "${TOKEN_GOOD_SECONDS:-3300}" ]
}

# Ends a wait at once when the unit stops, because a shell that waits for a child ignores the
# signal.
trap '[ -z "${!:-}" ] || kill "$!" 2>/dev/null; exit 130' INT TERM
pause() {
  sleep "${TOKEN_PAUSE_SECONDS:-10}" >/dev/null 2>&1 &
  wait "$!"
}

# The name contains this instance's id, so an existing runner of that name belongs to this host
# before a crash. GitHub still assigns jobs of the old labels to a replaced runner, so changed
# labels need another name.
count=1
again=
register() {
  labels=$(printf '%s' "$fleet" | jq -r '.labels | join(",")')
  group=$(printf '%s' "$fleet" | jq -r '.group // "Default"')
  set -- --unattended --url "$GITHUB_URL" --name "$SHARD-$RUNNER_NAME-$INSTANCE_ID$again" --replace \
    --runnergroup "$group" --no-default-labels --disableupdate
  [ -z "$labels" ] || set -- "$@" --labels "$labels"
  [ "${EPHEMERAL:-false}" = false ] || set -- "$@" --ephemeral
  # Passes the token in the environment, because every process can read arguments. Remains of an
  # earlier job could still read it there, or redirect the registration with .env.
  pkill -KILL -u "$user" || :
  in_folder rm -f .env .path 2>/dev/null || :
  (
    export ACTIONS_RUNNER_INPUT_TOKEN="$token"
    in_folder ./config.sh "$@"
  )
}

# A label change is first stored in the parameter and then applied to the listed runners. A host
# that read the old labels and registered later would keep them. The host runs no job yet.
is_as_written() {
  until found=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_fleet") && [ -n "$found" ]; do
    pause
  done
  [ "${found#*"$tab"}" = "$fleet" ]
}

tab=$(printf '\t')
logged=
while :; do
  until can_register; do
    # Printed only on a change, to keep the log short.
    [ "$why" = "$logged" ] || echo "waiting: $why" >&2
    logged=$why
    pause
  done
  register
  is_as_written && break
  echo "the labels of $SHARD have changed; registering again" >&2
  forget
  count=$((count + 1))
  again=-$count
done
