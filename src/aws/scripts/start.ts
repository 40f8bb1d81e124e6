import type { HostSettings } from '../../domain/settings.ts';
import { containerStatus, script, unitProperty } from './parts.ts';
import { unitName } from './unit.ts';
import { tellWrapper, wrapperAddress } from './wrapper.ts';

/**
 * Undoes `quit` for a runner that has ended: the restart goes on again, then it is started. A gRPC
 * wrapper goes on running without its runner; it is started anew only by its own word that the runner
 * has stopped, because a restart of it would end one that has not.
 */
export function startScript({ process, wrapper }: HostSettings): string {
  const addresses = wrapper === undefined ? {} : wrapperAddress(wrapper);
  const way = wrapper === undefined ? 'runner_ended() { return 1; }' : `${tellWrapper}\n${ended}`;
  return process.kind === 'docker'
    ? script({
        values: { name: process.container },
        addresses,
        body: `${containerStatus}\n${way}\n${docker}`,
      })
    : script({
        values: { name: unitName(process.unit) },
        addresses,
        body: `${unitProperty}\n${way}\n${systemd}`,
      });
}

const ended = 'runner_ended() { [ "$(told CheckStatus)" = stopped ]; }';

const docker = `
again() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  case $found in
    running) runner_ended || { say result already_running; return; }; verb=restart ;;
    exited | created) verb=start ;;
    *) say detail "its state is $(printf '%s' "$found" | brief)"; say result wrong_state; return ;;
  esac
  told=$(bounded 10 docker update --restart=always "$name" 2>&1) &&
    told=$(bounded 60 docker $verb "$name" 2>&1) && { say result started; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result start_failed
}
if command -v docker >/dev/null 2>&1; then again; else say result no_docker; fi
`.trim();

const systemd = `
again() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  verb=start
  if [ "$(property MainPID)" != 0 ]; then
    runner_ended || { say result already_running; return; }
    verb=restart
  fi
  rm -f "$MACHINE_ROOT/run/systemd/system/$name.d/hosted-runner.conf"
  told=$(bounded 20 systemctl daemon-reload 2>&1) &&
    told=$(bounded 20 systemctl enable "$name" 2>&1) &&
    told=$(bounded 60 systemctl $verb "$name" 2>&1) && { say result started; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result start_failed
}
again
`.trim();
