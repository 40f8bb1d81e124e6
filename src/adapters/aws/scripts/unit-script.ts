import { stayDown } from './script-parts.ts';

/** What `own_unit` judges. */
export const showOwnUnit =
  'systemctl show --property=LoadState,ExecStart,ActiveState,SubState,Restart,Job "$name.service"';

/**
 * Defines `own_unit`: whether systemd has a unit of the container's name that runs the container, as that of
 * the reference module does. Restarts and starts are that unit's then: a restart policy of Docker beside it
 * makes two that start one name, and a reboot loops. A package's unit of the same name runs no container.
 * Its code is 0 where there is one, with what the unit does in `shown`, 1 where there is none, and 2 where
 * systemd, which runs, does not say.
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

/** Defines `of_unit COMMAND`: what is written for a unit is done for that of the container's name. */
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
 * Defines `end_start`: a unit that waits for its next start has no process that a stop could interrupt, and
 * is started that once although its restart is off by now. Reads `shown`, which `own_unit` and `stay_down` set.
 *
 * Defines `end_absent WORDS`: the same of a container that is gone by docker's or Podman's words.
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
 * Ends a unit's main process and nothing beside it, after the unit was told to stay down. `before` may
 * return with a word of its own; so may `instead`, at the last moment before the signal. `after` runs when
 * systemd has sent the signal.
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
  [ "$value" = not-found ] && { say result unknown_unit; return; }
  property ActiveState
  [ -n "$value" ] || { say result no_systemd; return; }
  stay_down || { say result restart_stays; return; }
  ${before}
  if is_at_rest; then
    # Between two starts there is no process that a stop could interrupt.
    property ActiveState
    [ "$value" != activating ] || { bounded 20 systemctl stop "$name" >/dev/null 2>&1; see; }
    is_at_rest && { say result already_stopped; return; }
  fi
  ${instead}
  told=$(exec systemctl kill --signal=${signal} --kill-who=main "$name" 2>&1) && { ${after}; say result sent; return; }
  see
  is_at_rest && { say result already_stopped; return; }
  detail "$told"
  say result signal_failed
}
quit
`.trim();
}
