#!/bin/sh
# quit-runner.sh CONTAINER: sends SIGQUIT only to the runner's process. After `docker kill`, the
# image's init would pass the signal to its whole group, including the plugin that holds the workers
# of running jobs.
set -u

container=$1

# Finds the topmost process of that name below the container's first process, because helpers of
# jobs have the same name.
docker exec "$container" sh -c '
quit() {
  read -r name <"/proc/$1/comm" || return 1
  if [ "$name" = gitlab-runner ]; then kill -QUIT "$1"; exit; fi
  read -r children <"/proc/$1/task/$1/children" || [ -n "$children" ] || return 1
  for child in $children; do quit "$child"; done
}
quit 1
exit 3' >/dev/null 2>&1 && exit 0

# Another image may lack a shell, or its runner may have another name.
exec docker kill --signal=QUIT "$container"
