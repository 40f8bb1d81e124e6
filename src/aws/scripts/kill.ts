import type { HostSettings } from '../../domain/settings.ts';
import { stayDown } from './parts.ts';
import { processScript } from './process-script.ts';
import { killWrapper } from './wrapper.ts';

/**
 * SIGTERM and not `docker stop`: that would send the image's stop signal, which may be SIGQUIT, and
 * kill the jobs ten seconds later before the runner could report them. A gRPC wrapper has a call for it.
 */
export function killScript(settings: HostSettings): string {
  const noWrapper = 'wrapper_terminate() { return 1; }';
  return processScript(settings, { withWrapper: killWrapper, noWrapper, docker, systemd });
}

// The runner gives running jobs 30 s (shutdown_timeout) to end.
const docker = `
stopped() { case $(status) in exited | dead | created) return 0 ;; *) return 1 ;; esac; }
terminate() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  bounded 10 docker update --restart=no "$name" >/dev/null 2>&1 || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  wrapper_terminate && return
  bounded 10 docker kill --signal=TERM "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 20 docker kill --signal=KILL "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim();

const systemd = `
${stayDown}
stopped() { [ "$(property MainPID)" = 0 ]; }
terminate() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  stay_down || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  wrapper_terminate && return
  bounded 10 systemctl kill --signal=SIGTERM --kill-who=main "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 10 systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim();
