#!/bin/sh
# Installs the plugin by which docker-autoscaler makes its workers, before each start: the runner itself
# only looks for it. It is kept on the host, because the container is made anew each time. One that is
# there already needs no network.
set -u

folder=${RUNNER_FOLDER:-/etc/gitlab-runner}

grep -q '^[[:space:]]*\[runners\.autoscaler\]' "$folder/config.toml" || exit 0

attempt=0
until docker run --rm --network host --volume "$folder:/etc/gitlab-runner" \
  --env FLEETING_PLUGIN_PATH=/etc/gitlab-runner/fleeting "$RUNNER_IMAGE" fleeting install; do
  attempt=$((attempt + 1))
  if [ "$attempt" -ge "${PLUGIN_ATTEMPTS:-24}" ]; then
    # The runner is started all the same: its own log says what it lacks, and to whoever reads it.
    echo "the fleeting plugin could not be installed in $attempt attempts" >&2
    exit 1
  fi
  sleep "${PLUGIN_PAUSE_SECONDS:-5}"
done
