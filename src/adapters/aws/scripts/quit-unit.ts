import { stayDown } from './parts.ts';

/**
 * Ends a unit's main process and nothing beside it, after the unit was told to stay down. `before` may
 * return with a word of its own; so may `instead`, at the last moment before the signal.
 */
export function quitUnit({
  signal,
  before = '',
  instead = '',
}: {
  readonly signal: 'SIGQUIT' | 'SIGKILL';
  readonly before?: string;
  readonly instead?: string;
}): string {
  return `
${stayDown}
quit() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  stay_down || { say result restart_stays; return; }
  ${before}
  if [ "$(property MainPID)" = 0 ]; then
    # Between two starts there is no process that a stop could interrupt.
    [ "$(property ActiveState)" = activating ] && bounded 20 systemctl stop "$name" >/dev/null 2>&1
    [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  fi
  ${instead}
  told=$(bounded 10 systemctl kill --signal=${signal} --kill-who=main "$name" 2>&1) && { say result sent; return; }
  [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  detail "$told"
  say result signal_failed
}
quit
`.trim();
}
