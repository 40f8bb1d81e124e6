import type { HostSettings } from '../../../domain/settings.ts';
import { processScript } from './process-script.ts';
import { unitProperties } from './script-parts.ts';
import { ofUnit, ownUnit } from './unit-script.ts';
import { wrapperStatus } from './wrapper-script.ts';

/**
 * Undoes `quit` for a runner that has ended: enables the restart and starts the runner, through its
 * own unit if it has one. A gRPC wrapper continues without its runner. It is restarted only if it
 * reports the runner as stopped, because the restart would end a running one.
 */
export function startScript(settings: HostSettings): string {
  const noWrapper = 'runner_ended() { return 1; }';
  return processScript(settings, { withWrapper: endedByWrapper, noWrapper, docker, systemd });
}

const endedByWrapper = `
${wrapperStatus}
runner_ended() {
  query_wrapper CheckStatus
  [ "$process_state" = stopped ]
}
`.trim();

const startUnit = `
start_unit() {
  see
  property LoadState
  [ "$value" = not-found ] && { print result unknown_unit; return; }
  property ActiveState
  [ -n "$value" ] || { print result no_systemd; return; }
  verb=start
  if ! is_at_rest; then
    runner_ended || { print result already_running; return; }
    verb=restart
  fi
  rm -f "$MACHINE_ROOT/run/systemd/system/$name.d/hosted-runner.conf"
  output=$(bounded 20 systemctl daemon-reload 2>&1) &&
    output=$(bounded 20 systemctl enable "$name" 2>&1) &&
    output=$(bounded 60 systemctl $verb "$name" 2>&1) && { print result started; return; }
  detail "$output"
  print result start_failed
}
`.trim();

const docker = `
${unitProperties}
${ownUnit}
${ofUnit}
${startUnit}
again() {
  if own_unit; then
    status
    case $state in
      running) runner_ended || { print result already_running; return; } ;;
    esac
    of_unit start_unit
    return
  fi
  status || { detail "$found"; print result unknown_container; return; }
  case $state in
    running) runner_ended || { print result already_running; return; }; verb=restart ;;
    exited | created) verb=start ;;
    *) detail "its state is $found"; print result wrong_state; return ;;
  esac
  output=$(bounded 10 docker update --restart=always "$name" 2>&1) &&
    output=$(bounded 60 docker $verb "$name" 2>&1) && { print result started; return; }
  detail "$output"
  print result start_failed
}
if command -v docker >/dev/null 2>&1; then again; else print result no_docker; fi
`.trim();

const systemd = `
${startUnit}
start_unit
`.trim();
