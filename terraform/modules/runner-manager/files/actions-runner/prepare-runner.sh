#!/bin/sh
# Runs before each start of the runner's unit: registers this host once, with the labels that its
# shard has now. The token is in no image, no user data and no Terraform state.
set -eu

home=${RUNNER_HOME:-/opt/actions-runner}
umask 077
cd "$home"

# A persistent runner is the same one after a restart; who was removed never comes back by itself.
[ ! -s .runner ] || exit 0

parameter() {
  aws ssm get-parameter --region "$AWS_REGION" --name "$1" --with-decryption \
    --query Parameter.Value --output text
}

# While the intake is closed nobody is registered: such a runner would only have to be removed.
wanted() {
  token=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_token") && [ -n "$token" ] &&
    fleet=$(parameter "${PARAMETER_PREFIX}${SHARD}/runner_fleet") && [ -n "$fleet" ] || return 1
  [ "$(printf '%s' "$fleet" | jq -r .intake)" = open ]
}

attempt=0
until wanted; do
  attempt=$((attempt + 1))
  if [ "$attempt" -ge "${TOKEN_ATTEMPTS:-60}" ]; then
    echo "no token or no fleet of $SHARD that is open after $attempt attempts" >&2
    exit 1
  fi
  sleep "${TOKEN_PAUSE_SECONDS:-5}"
done
labels=$(printf '%s' "$fleet" | jq -r '.labels | join(",")')

# The name holds this instance's id, so that whoever has it already is this very host before a crash.
set -- --unattended --url "$GITHUB_URL" --name "$SHARD-$RUNNER_NAME-$INSTANCE_ID" --replace \
  --runnergroup "${RUNNER_GROUP:-Default}" --no-default-labels --disableupdate
[ -z "$labels" ] || set -- "$@" --labels "$labels"
[ "${EPHEMERAL:-false}" = false ] || set -- "$@" --ephemeral
# The token is an argument that every process of this host could see, so it is given by environment.
ACTIONS_RUNNER_INPUT_TOKEN=$token ./config.sh "$@"
