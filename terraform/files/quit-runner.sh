#!/bin/sh
# quit-runner.sh CONTAINER: SIGQUIT to the runner's own process. The image's init passes a signal of
# `docker kill` on to its whole group, the plugin among it that holds the workers of running jobs.
set -u

container=$1

# The topmost process of that name below the container's first one; jobs have helpers of the same name.
docker exec "$container" sh -c '
quit() {
  read -r name <"/proc/$1/comm" || return 1
  if [ "$name" = gitlab-runner ]; then kill -QUIT "$1"; exit; fi
  read -r children <"/proc/$1/task/$1/children" || [ -n "$children" ] || return 1
  for child in $children; do quit "$child"; done
}
quit 1
exit 3' >/dev/null 2>&1 && exit 0

# Another image: there may be no shell in it, or the runner has another name.
exec docker kill --signal=QUIT "$container"
