import type { HostSettings } from '../../domain/settings.ts';
import { quitActionsRunner } from './actions-runner.ts';
import { containerStatus, script, stayDown, unitProperty } from './parts.ts';
import { unitName } from './unit.ts';
import { quitWrapper, wrapperAddress } from './wrapper.ts';

/**
 * Graceful stop: the restart goes off first, or the runner comes back after its exit and takes jobs
 * again. Then SIGQUIT to the main process only; helpers of jobs have the same name. Where that is the
 * gRPC wrapper, its own call instead: it passes a signal on as SIGTERM, and kills after ten seconds.
 */
export function quitScript({ process, wrapper }: HostSettings): string {
  if (process.kind === 'actions_runner') return quitActionsRunner(process);
  const addresses = wrapper === undefined ? {} : wrapperAddress(wrapper);
  const way = wrapper === undefined ? noWrapper : quitWrapper;
  return process.kind === 'docker'
    ? script({
        values: { name: process.container },
        addresses,
        body: `${containerStatus}\n${way}\n${docker}`,
      })
    : script({
        values: { name: unitName(process.unit) },
        addresses,
        body: `${unitProperty}\n${stayDown}\n${way}\n${systemd}`,
      });
}

// Where the runner is the main process itself.
const noWrapper = 'wrapper_quit() { return 1; }';

const docker = `
quit() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  told=$(bounded 10 docker update --restart=no "$name" 2>&1) || { say detail "$(printf '%s' "$told" | brief)"; say result restart_stays; return; }
  tries=0
  found=$(status)
  while [ "$found" = restarting ] && [ $tries -lt 15 ]; do
    sleep 1
    tries=$((tries + 1))
    found=$(status)
  done
  case $found in
    exited | dead | created) say result already_stopped; return ;;
    running) ;;
    *) say detail "its state is $(printf '%s' "$found" | brief)"; say result wrong_state; return ;;
  esac
  wrapper_quit && return
  told=$(bounded 10 docker kill --signal=QUIT "$name" 2>&1) && { say result sent; return; }
  found=$(status)
  case $found in
    exited | dead) say result already_stopped ;;
    *) say detail "$(printf '%s' "$told" | brief)"; say result signal_failed ;;
  esac
}
if command -v docker >/dev/null 2>&1; then quit; else say result no_docker; fi
`.trim();

const systemd = `
quit() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  stay_down || { say result restart_stays; return; }
  if [ "$(property MainPID)" = 0 ]; then
    # Between two starts there is no process that a stop could interrupt.
    [ "$(property ActiveState)" = activating ] && bounded 20 systemctl stop "$name" >/dev/null 2>&1
    [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  fi
  wrapper_quit && return
  told=$(bounded 10 systemctl kill --signal=SIGQUIT --kill-who=main "$name" 2>&1) && { say result sent; return; }
  [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result signal_failed
}
quit
`.trim();
