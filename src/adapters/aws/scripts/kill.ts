import type { HostSettings } from '../../../domain/settings.ts';
import { stayDown, unitProperty } from './parts.ts';
import { processScript } from './process-script.ts';
import { containerIncarnation, patience, termination, unitIncarnation } from './termination.ts';
import { endStart, ofUnit, ownUnit } from './units.ts';
import { killWrapper } from './wrapper.ts';

/**
 * SIGTERM and not `docker stop`: that would send the image's stop signal, which may be SIGQUIT, and
 * kill the jobs ten seconds later before the runner could report them. A gRPC wrapper has a call for it.
 * Once only, and SIGKILL no sooner than the runner's own shutdown_timeout has passed.
 */
export function killScript(settings: HostSettings): string {
  return processScript(settings, { withWrapper: killWrapper, noWrapper, docker, systemd });
}

const noWrapper = `
tell_to_end() { send TERM || forget_termination; }
has_ended() { stopped; }
`.trim();

const terminate = `
terminate() {
  stopped && { say result stopped; return; }
  longest=$(patience)
  if ! was_terminated; then
    note_termination || { say result mark_failed; return; }
    tell_to_end || { forget_termination; return; }
  fi
  tries=0
  until has_ended; do
    [ $tries -lt "$longest" ] || { kill_at_last; return; }
    sleep 1
    tries=$((tries + 1))
  done
  say result stopped
}
kill_at_last() {
  force
  tries=0
  until stopped || [ $tries -ge 10 ]; do sleep 1; tries=$((tries + 1)); done
  stopped && say result stopped || say result still_running
}
`.trim();

const docker = `
${unitProperty}
${stayDown}
${ownUnit}
${ofUnit}
${endStart}
${containerIncarnation}
${termination}
${patience}
configuration() { bounded 10 docker exec "$name" cat /etc/gitlab-runner/config.toml; }
stopped() { case $(status) in exited | dead | created) return 0 ;; *) return 1 ;; esac; }
send() { bounded 10 docker kill --signal="$1" "$name" >/dev/null 2>&1; }
force() { bounded 20 docker kill --signal=KILL "$name" >/dev/null 2>&1; }
${terminate}
found=$(status)
known=$?
if [ $known -ne 0 ] && end_absent "$found"; then
  say result stopped
elif [ $known -ne 0 ]; then
  detail "$found"
  say result unknown_container
elif ! bounded 10 docker update --restart=no "$name" >/dev/null 2>&1; then
  say result restart_stays
elif own_unit && ! of_unit stay_down; then
  say result restart_stays
else
  ! stopped || ! own_unit || end_start
  terminate
fi
`.trim();

const systemd = `
${unitIncarnation}
${termination}
${patience}
${stayDown}
configuration() { cat /etc/gitlab-runner/config.toml; }
stopped() { [ "$(property MainPID)" = 0 ]; }
send() { bounded 10 systemctl kill --signal="SIG$1" --kill-who=main "$name" >/dev/null 2>&1; }
force() { bounded 10 systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1; }
${terminate}
if [ "$(property LoadState)" = not-found ]; then
  say result unknown_unit
elif ! stay_down; then
  say result restart_stays
else
  terminate
fi
`.trim();
