#!/bin/sh
# Installs the plugin of docker-autoscaler before each start, because the runner does not install
# it. The plugin is stored on the host, because the container is created again each time. An
# installed plugin needs no network.
set -u

folder=${RUNNER_FOLDER:-/etc/gitlab-runner}

grep -q '^[[:space:]]*\[runners\.autoscaler\]' "$folder/config.toml" || exit 0

attempt=0
until docker run --rm --network host --volume "$folder:/etc/gitlab-runner" \
  --env FLEETING_PLUGIN_PATH=/etc/gitlab-runner/fleeting "$RUNNER_IMAGE" fleeting install; do
  attempt=$((attempt + 1))
  if [ "$attempt" -ge "${PLUGIN_ATTEMPTS:-24}" ]; then
    # The runner starts anyway, and its log reports the missing plugin.
    echo "the fleeting plugin could not be installed in $attempt attempts" >&2
    exit 1
  fi
  sleep "${PLUGIN_PAUSE_SECONDS:-5}"
done
