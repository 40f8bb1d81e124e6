import type { HostSettings } from '../../domain/settings.ts';
import { containerStatus, script, stayDown, unitProperty } from './parts.ts';
import { unitName } from './unit.ts';

/**
 * SIGTERM and not `docker stop`: that would send the image's stop signal, which may be SIGQUIT, and
 * kill the jobs ten seconds later before the runner could report them.
 */
export function killScript({ process }: HostSettings): string {
  return process.kind === 'docker'
    ? script({ values: { name: process.container }, body: `${containerStatus}\n${docker}` })
    : script({
        values: { name: unitName(process.unit) },
        body: `${unitProperty}\n${stayDown}\n${systemd}`,
      });
}

// The runner gives running jobs 30 s (shutdown_timeout) to end.
const docker = `
stopped() { case $(status) in exited | dead | created) return 0 ;; *) return 1 ;; esac; }
terminate() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  bounded 10 docker update --restart=no "$name" >/dev/null 2>&1 || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  bounded 10 docker kill --signal=TERM "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 20 docker kill --signal=KILL "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim();

const systemd = `
stopped() { [ "$(property MainPID)" = 0 ]; }
terminate() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  stay_down || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  bounded 10 systemctl kill --signal=SIGTERM --kill-who=main "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 10 systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim();
