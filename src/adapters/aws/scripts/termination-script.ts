/** Longest shutdown_timeout that the script waits for, because its own run has a limit. */
export const longestShutdownSeconds = 3600;

/**
 * Defines `was_terminated`, `note_termination` and `forget_termination`. After a SIGTERM, any
 * further signal ends gitlab-runner at once, SIGQUIT too, and the ended jobs are never reported.
 * The script therefore writes a note on the host before it sends the signal, for this process only.
 * A later run then sends no further signal. `incarnation` distinguishes processes. From 19.1 on,
 * the runner itself reports that it received such a signal.
 * https://gitlab.com/gitlab-org/gitlab-runner/-/blob/v19.3.0/commands/multi.go
 * (handleForcefulShutdown)
 */
export const termination = `
noted=$MACHINE_ROOT/run/hosted-runner/$name.terminated
note_termination() {
  [ -n "$incarnation" ] || return
  [ -d "\${noted%/*}" ] || mkdir -p "\${noted%/*}" || return
  printf '%s\\n' "$incarnation" >"$noted"
}
forget_termination() { rm -f "$noted"; }
was_terminated() {
  process=
  [ ! -e "$noted" ] || read -r process <"$noted"
  [ -n "$incarnation" ] && [ "$process" = "$incarnation" ] && return
  [ "$(exec curl --silent --noproxy '*' --fail --max-time 2 "http://127.0.0.1:$port/debug/process/state" 2>/dev/null)" = forceful-shutdown ]
}
`.trim();

/**
 * Defines `patience CONFIGURATION`, which sets `longest`: the seconds that the runner may wait for
 * its jobs, plus a margin for its own exit. Zero or no value means 30. The configuration is read
 * only for this number.
 */
export const patience = `
patience() {
  lines=$1
  seconds=
  while [ -n "$lines" ] && [ -z "$seconds" ]; do
    line=\${lines%%"$newline"*}
    case $lines in *"$newline"*) lines=\${lines#*"$newline"} ;; *) lines= ;; esac
    line=\${line#"\${line%%[![:space:]]*}"}
    case $line in shutdown_timeout[[:space:]]*=* | shutdown_timeout=*) ;; *) continue ;; esac
    seconds=\${line#*=}
    seconds=\${seconds#"\${seconds%%[![:space:]]*}"}
    seconds=\${seconds%%[!0-9_]*}
  done
  digits=
  while [ -n "$seconds" ]; do
    digits=$digits\${seconds%%_*}
    case $seconds in *_*) seconds=\${seconds#*_} ;; *) seconds= ;; esac
  done
  [ \${#digits} -le 7 ] || digits=${longestShutdownSeconds}
  [ "\${digits:-0}" -gt 0 ] || digits=30
  [ "$digits" -lt ${longestShutdownSeconds} ] || digits=${longestShutdownSeconds}
  longest=$((digits + 15))
}
`.trim();
