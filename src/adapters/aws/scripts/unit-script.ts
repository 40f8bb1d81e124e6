import { stayDown } from './script-parts.ts';

/** Command whose output `own_unit` reads. */
export const showOwnUnit =
  'systemctl show --property=LoadState,ExecStart,ActiveState,SubState,Restart,Job "$name.service"';

/**
 * Defines `own_unit`: whether systemd has a unit of the container's name that runs the container,
 * as in the reference module. The unit then controls starts and restarts. With a restart policy of
 * Docker in addition, both would start one name, and a reboot would loop. A package's unit of the
 * same name runs no container.
 *
 * The code is 0 if the unit exists, with its state in `shown`, and 1 if there is none. It is 2 if
 * systemd runs and does not respond.
 */
export const ownUnit = `
own_unit() {
  command -v systemctl >/dev/null 2>&1 || return 1
  if ! shown=$(exec ${showOwnUnit} 2>/dev/null); then
    [ ! -d "$MACHINE_ROOT/run/systemd/system" ] || return 2
    return 1
  fi
  case $shown in *LoadState=loaded*) ;; *) return 1 ;; esac
  case $shown in *ExecStart=*docker*"$name"* | *ExecStart=*podman*"$name"*) return 0 ;; *) return 1 ;; esac
}
`.trim();

/**
 * Defines `of_unit COMMAND`, which runs a command for units on the unit of the container's name.
 */
export const ofUnit = `
of_unit() {
  container=$name
  name=$name.service
  "$@"
  set -- $?
  name=$container
  return "$1"
}
`.trim();

/**
 * Defines `end_start`, which stops a unit that waits for its next start. Such a unit has no process
 * to stop, and it would start once more although its restart is disabled. Reads `shown`, which
 * `own_unit` and `stay_down` set.
 *
 * Defines `end_absent WORDS`, which does the same if docker or Podman reports that the container is
 * gone.
 */
export const endStart = `
end_start() {
  property ActiveState
  [ "$value" != activating ] || bounded 20 systemctl stop "$name.service" >/dev/null 2>&1
}
end_absent() {
  case $1 in *[Nn]'o such object'* | *[Nn]'o such container'*) ;; *) return 1 ;; esac
  own_unit && of_unit stay_down && end_start
}
`.trim();

/**
 * Ends only a unit's main process, after `stay_down`. `before` may return with its own result, and
 * so may `instead`, right before the signal. `after` runs when systemd has sent the signal.
 */
export function quitUnit({
  signal,
  before = '',
  instead = '',
  after = ':',
}: {
  readonly signal: 'SIGQUIT' | 'SIGKILL';
  readonly before?: string;
  readonly instead?: string;
  readonly after?: string;
}): string {
  return `
${stayDown}
quit() {
  see
  property LoadState
  [ "$value" = not-found ] && { print result unknown_unit; return; }
  property ActiveState
  [ -n "$value" ] || { print result no_systemd; return; }
  stay_down || { print result restart_stays; return; }
  ${before}
  if is_at_rest; then
    # Between two starts there is no process that a stop could interrupt.
    property ActiveState
    [ "$value" != activating ] || { bounded 20 systemctl stop "$name" >/dev/null 2>&1; see; }
    is_at_rest && { print result already_stopped; return; }
  fi
  ${instead}
  output=$(exec systemctl kill --signal=${signal} --kill-who=main "$name" 2>&1) && { ${after}; print result sent; return; }
  see
  is_at_rest && { print result already_stopped; return; }
  detail "$output"
  print result signal_failed
}
quit
`.trim();
}
