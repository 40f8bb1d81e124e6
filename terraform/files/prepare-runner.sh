#!/bin/sh
# Writes the runner's configuration before each start: the token comes from Parameter Store and is
# in no image, no user data and no Terraform state.
set -eu

folder=${RUNNER_FOLDER:-/etc/gitlab-runner}
umask 077

# A manager in GitLab is this id; without the file every host of one image would be the same one.
if ! [ -s "$folder/.runner_system_id" ]; then
  printf 'r_%s' "$(printf '%s' "$INSTANCE_ID" | tr -cd '0-9a-zA-Z' | tail -c 12)" \
    >"$folder/.runner_system_id"
fi

# A refused token silences the runner for an hour, so it does not start before there is one. The text is
# what a removed shard leaves there.
attempt=0
until token=$(aws ssm get-parameter --region "$AWS_REGION" --name "$TOKEN_PARAMETER" \
  --with-decryption --query Parameter.Value --output text) && [ -n "$token" ] &&
  [ "$token" != '(none: retired)' ]; do
  attempt=$((attempt + 1))
  if [ "$attempt" -ge "${TOKEN_ATTEMPTS:-60}" ]; then
    echo "no token at $TOKEN_PARAMETER after $attempt attempts" >&2
    exit 1
  fi
  sleep "${TOKEN_PAUSE_SECONDS:-5}"
done

case $token in
*[!A-Za-z0-9_.-]*)
  echo "the value of $TOKEN_PARAMETER is no runner token" >&2
  exit 1
  ;;
esac

# By the shell itself: a token among the arguments of a program would be seen by every process.
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
  *__RUNNER_TOKEN__*) printf '%s%s%s\n' "${line%%__RUNNER_TOKEN__*}" "$token" "${line#*__RUNNER_TOKEN__}" ;;
  *) printf '%s\n' "$line" ;;
  esac
done <"$folder/config.template.toml" >"$folder/config.toml.new"
mv "$folder/config.toml.new" "$folder/config.toml"
