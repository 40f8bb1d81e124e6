import type { HostSettings } from '../../../domain/settings.ts';
import { processScript } from './process-script.ts';
import { stayDown, unitProperties } from './script-parts.ts';
import { patience, termination } from './termination-script.ts';
import { endStart, ofUnit, ownUnit } from './unit-script.ts';
import { killWrapper } from './wrapper-script.ts';

/**
 * Stops the runner with SIGTERM. `docker stop` would send the image's stop signal, which may be
 * SIGQUIT, and kill the jobs ten seconds later, before the runner reports them. A gRPC wrapper has
 * a call instead. SIGTERM is sent once, and SIGKILL only after the runner's own shutdown_timeout.
 */
export function killScript(settings: HostSettings): string {
  return processScript(settings, { withWrapper: killWrapper, noWrapper, docker, systemd });
}

const noWrapper = `
request_end() { send TERM || forget_termination; }
has_ended() { stopped; }
`.trim();

const terminate = `
terminate() {
  if ! was_terminated; then
    note_termination || { print result mark_failed; return; }
    request_end || { forget_termination; return; }
  fi
  tries=0
  longest=
  until has_ended; do
    [ -n "$longest" ] || patience "$(configuration 2>/dev/null)"
    [ $tries -lt "$longest" ] || { kill_at_last; return; }
    sleep 1
    tries=$((tries + 1))
  done
  print result stopped
}
kill_at_last() {
  force
  tries=0
  until stopped || [ $tries -ge 10 ]; do sleep 1; tries=$((tries + 1)); done
  stopped && print result stopped || print result still_running
}
`.trim();

const docker = `
${unitProperties}
${stayDown}
${ownUnit}
${ofUnit}
${endStart}
${termination}
${patience}
configuration() { timeout -k 2 10 docker exec "$name" cat /etc/gitlab-runner/config.toml; }
stopped() {
  status
  case $state in exited | dead | created) return 0 ;; *) return 1 ;; esac
}
send() { timeout -k 2 10 docker kill --signal="$1" "$name" >/dev/null 2>&1; }
force() { timeout -k 2 20 docker kill --signal=KILL "$name" >/dev/null 2>&1; }
${terminate}
if ! timeout -k 2 10 docker update --restart=no "$name" >/dev/null 2>&1; then
  if status; then
    print result restart_stays
  elif end_absent "$found"; then
    print result stopped
  else
    detail "$found"
    print result unknown_container
  fi
elif own_unit && ! of_unit stay_down; then
  print result restart_stays
elif stopped; then
  ! own_unit || end_start
  print result stopped
else
  terminate
fi
`.trim();

const systemd = `
${termination}
${patience}
${stayDown}
configuration() { cat /etc/gitlab-runner/config.toml; }
stopped() {
  see
  is_at_rest
}
send() { systemctl kill --signal="SIG$1" --kill-who=main "$name" >/dev/null 2>&1; }
force() { systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1; }
${terminate}
see
property LoadState
if [ "$value" = not-found ]; then
  print result unknown_unit
elif ! stay_down; then
  print result restart_stays
elif is_at_rest; then
  print result stopped
else
  identify
  terminate
fi
`.trim();
