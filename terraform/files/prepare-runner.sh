#!/bin/sh
# Writes the runner's configuration before each start. The token comes from Parameter Store; no
# image, user data or Terraform state contains it.
set -eu

folder=${RUNNER_FOLDER:-/etc/gitlab-runner}
umask 077

# GitLab identifies a manager by this id. Without the file, all hosts of one image would have the
# same id.
if ! [ -s "$folder/.runner_system_id" ]; then
  printf 'r_%s' "$(printf '%s' "$INSTANCE_ID" | tr -cd '0-9a-zA-Z' | tail -c 12)" \
    >"$folder/.runner_system_id"
fi

# A refused token stops the runner's requests for an hour, so the runner starts only with a token. A
# removed shard leaves this placeholder.
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
  echo "the value of $TOKEN_PARAMETER is not a runner token" >&2
  exit 1
  ;;
esac

# The shell itself replaces the token, because every process can read the arguments of a program.
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
  *__RUNNER_TOKEN__*) printf '%s%s%s\n' "${line%%__RUNNER_TOKEN__*}" "$token" "${line#*__RUNNER_TOKEN__}" ;;
  *) printf '%s\n' "$line" ;;
  esac
done <"$folder/config.template.toml" >"$folder/config.toml.new"
mv "$folder/config.toml.new" "$folder/config.toml"
