/**
 * Defines `signal_runner`: SIGQUIT to the runner's own process. `docker kill` reaches the first process of the
 * container; the init of GitLab's image passes a signal on to its whole group, and with it to the plugin that
 * holds the workers of an autoscaler. So the process is looked for inside: the topmost one of its name, since
 * jobs have helpers of the same. The module's quit-runner.sh is the same.
 */
export const containerQuit = `
signal_runner() {
  bounded 10 docker exec "$name" sh -c '
quit() {
  read -r name <"/proc/$1/comm" || return 1
  if [ "$name" = gitlab-runner ]; then kill -QUIT "$1"; exit; fi
  read -r children <"/proc/$1/task/$1/children" || [ -n "$children" ] || return 1
  for child in $children; do quit "$child"; done
}
quit 1
exit 3' >/dev/null 2>&1 && return
  bounded 10 docker kill --signal=QUIT "$name"
}
`.trim();
