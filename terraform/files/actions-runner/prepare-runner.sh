#!/bin/sh
# Runs as root before each start of the runner's unit: registers this host once, with the labels that its
# shard has now. The token is in no image, no user data and no Terraform state, and root alone reads it:
# jobs do not reach the host's role.
set -eu

home=${RUNNER_HOME:-/opt/actions-runner}
user=${RUNNER_USER:-runner}
umask 077
# systemd sets the home of the unit's user, and jobs write there what a program of root would read, such as
# .aws/config.
theirs=${HOME:-$home}
export HOME=/root
cd /

# Jobs can write into the runner's folder: root neither reads nor writes nor starts anything in it.
in_folder() {
  # shellcheck disable=SC2016 # expanded by the shell of the user
  runuser -u "$user" -- sh -c 'export HOME="$1"; cd "$2" && shift 2 && exec "$@"' sh "$theirs" "$home" "$@"
}

forget() { in_folder rm -f .runner .credentials .credentials_rsaparams; }

# The newest record of the listener, by its name.
was_deleted() {
  # shellcheck disable=SC2016 # expanded by the shell of the user
  in_folder sh -c 'for file in _diag/Runner_*-utc.log; do last=$file; done
    grep -qs "registration has been deleted from the server" "$last"'
}

# GitHub deletes an ephemeral runner that was offline for a day. Its listener would end at each start.
if [ "${EPHEMERAL:-false}" != false ] && was_deleted; then forget; fi

# A persistent runner is the same one after a restart; who was removed never comes back by itself. One of
# 2.336 or newer has forgotten itself then, and the closed intake is what keeps it away.
! in_folder test -s .runner || exit 0

# When it was written, a tab, and what it holds.
parameter() {
  aws ssm get-parameter --region "$AWS_REGION" --name "$1" --with-decryption \
    --query 'Parameter.[LastModifiedDate,Value]' --output text
}

# Seconds since a moment as either version of the command line tells it.
age() {
  case $1 in
  *T*) written=$(date -d "$1" +%s) ;;
  *) written=${1%.*} ;;
  esac
  echo $(($(date +%s) - written))
}

# While the intake is closed nobody is registered: such a runner would only have to be removed. A token
# is good for an hour, and one that ends in the middle of a registration is none. A job outlives a listener
# that has crashed, and a registration ends what is left of it.
wanted() {
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

# A stop of the unit ends a wait at once: a shell that waits for its child would not hear it.
trap '[ -z "${!:-}" ] || kill "$!" 2>/dev/null; exit 130' INT TERM
pause() {
  sleep "${TOKEN_PAUSE_SECONDS:-10}" >/dev/null 2>&1 &
  wait "$!"
}

# The name holds this instance's id, so that whoever has it already is this very host before a crash. To a
# runner that takes another one's place GitHub still gives jobs of the labels that were, so that it is
# another one where the labels have changed.
count=1
again=
register() {
  labels=$(printf '%s' "$fleet" | jq -r '.labels | join(",")')
  group=$(printf '%s' "$fleet" | jq -r '.group // "Default"')
  set -- --unattended --url "$GITHUB_URL" --name "$SHARD-$RUNNER_NAME-$INSTANCE_ID$again" --replace \
    --runnergroup "$group" --no-default-labels --disableupdate
  [ -z "$labels" ] || set -- "$@" --labels "$labels"
  [ "${EPHEMERAL:-false}" = false ] || set -- "$@" --ephemeral
  # The token is an argument that every process of this host could see, so it is given by environment.
  # What an earlier job has left could still read it there, or send the registration elsewhere by .env.
  pkill -KILL -u "$user" || :
  in_folder rm -f .env .path 2>/dev/null || :
  (
    export ACTIONS_RUNNER_INPUT_TOKEN="$token"
    in_folder ./config.sh "$@"
  )
}

# Whoever changes the labels writes them down first and then gives them to the runners that are listed:
# a host that had read them before and is listed after would keep the old ones. It takes no job yet.
is_as_written() {
  until found=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_fleet") && [ -n "$found" ]; do
    pause
  done
  [ "${found#*"$tab"}" = "$fleet" ]
}

tab=$(printf '\t')
told=
while :; do
  until wanted; do
    # Said when it changes, so that the log of hours is a few lines.
    [ "$why" = "$told" ] || echo "waiting: $why" >&2
    told=$why
    pause
  done
  register
  is_as_written && break
  echo "the labels of $SHARD were changed meanwhile; registering once more" >&2
  forget
  count=$((count + 1))
  again=-$count
done
