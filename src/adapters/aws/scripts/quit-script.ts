import type { HostSettings } from '../../../domain/settings.ts';
import { quitActionsRunner } from './actions-runner-script.ts';
import { processScript } from './process-script.ts';
import { stayDown, unitProperties } from './script-parts.ts';
import { termination } from './termination-script.ts';
import { endStart, ofUnit, ownUnit, quitUnit } from './unit-script.ts';
import { quitWrapper } from './wrapper-script.ts';

/**
 * Stops the runner gracefully. The script disables the restart first, or the runner would start
 * again and accept jobs. Then it sends SIGQUIT to the main process only, because helpers of jobs
 * have the same name. A gRPC wrapper gets its own call: it passes a signal on as SIGTERM and kills
 * after ten seconds. A process whose jobs were already terminated gets no further signal.
 */
export function quitScript(settings: HostSettings): string {
  const { process } = settings;
  if (process.kind === 'actions_runner') return quitActionsRunner(process);
  const noWrapper = 'wrapper_quit() { return 1; }';
  return processScript(settings, { withWrapper: quitWrapper, noWrapper, docker, systemd });
}

/**
 * Defines `signal_runner`, which sends SIGQUIT to the runner's own process. `docker kill` reaches
 * the container's first process. The init of GitLab's image passes the signal to its whole process
 * group, including the plugin that holds an autoscaler's workers. The script therefore finds the
 * runner inside the container: the topmost process of its name, since helpers of jobs have the same
 * name. The module's quit-runner.sh does the same.
 */
export const containerQuit = `
signal_runner() {
  timeout -k 2 10 docker exec "$name" sh -c '
quit() {
  read -r name <"/proc/$1/comm" || return 1
  if [ "$name" = gitlab-runner ]; then kill -QUIT "$1"; exit; fi
  read -r children <"/proc/$1/task/$1/children" || [ -n "$children" ] || return 1
  for child in $children; do quit "$child"; done
}
quit 1
exit 3' >/dev/null 2>&1 && return
  timeout -k 2 10 docker kill --signal=QUIT "$name"
}
`.trim();

const docker = `
${unitProperties}
${stayDown}
${ownUnit}
${ofUnit}
${endStart}
${containerQuit}
${termination}
quit() {
  output=$(exec timeout -k 2 10 docker update --restart=no "$name" 2>&1) || {
    status && { detail "$output"; print result restart_stays; return; }
    end_absent "$found" && { print result already_stopped; return; }
    detail "$found"
    print result unknown_container
    return
  }
  ! own_unit || of_unit stay_down || { print result restart_stays; return; }
  tries=0
  status
  while [ "$state" = restarting ] && [ $tries -lt 15 ]; do
    sleep 1
    tries=$((tries + 1))
    status
  done
  case $state in
    exited | dead | created) ! own_unit || end_start; print result already_stopped; return ;;
    running) ;;
    *) detail "its state is $found"; print result wrong_state; return ;;
  esac
  was_terminated && { print result sent; return; }
  wrapper_quit && return
  output=$(signal_runner 2>&1) && { print result sent; return; }
  status
  case $state in
    exited | dead) print result already_stopped ;;
    *) detail "$output"; print result signal_failed ;;
  esac
}
if command -v docker >/dev/null 2>&1; then quit; else print result no_docker; fi
`.trim();

const systemd = [
  termination,
  quitUnit({
    signal: 'SIGQUIT',
    instead:
      'identify\n  was_terminated && { print result sent; return; }\n  wrapper_quit && return',
  }),
].join('\n');
