import type { HostSettings } from '../../domain/settings.ts';
import { quitActionsRunner } from './actions-runner.ts';
import { processScript } from './process-script.ts';
import { quitUnit } from './quit-unit.ts';
import { quitWrapper } from './wrapper.ts';

/**
 * Graceful stop: the restart goes off first, or the runner comes back after its exit and takes jobs
 * again. Then SIGQUIT to the main process only; helpers of jobs have the same name. Where that is the
 * gRPC wrapper, its own call instead: it passes a signal on as SIGTERM, and kills after ten seconds.
 */
export function quitScript(settings: HostSettings): string {
  const { process } = settings;
  if (process.kind === 'actions_runner') return quitActionsRunner(process);
  const noWrapper = 'wrapper_quit() { return 1; }';
  return processScript(settings, { withWrapper: quitWrapper, noWrapper, docker, systemd });
}

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

const systemd = quitUnit({ signal: 'SIGQUIT', instead: 'wrapper_quit && return' });
