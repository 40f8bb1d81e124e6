/** What is longer is not waited for; the run of the script has to end. */
export const longestShutdownSeconds = 3600;

/**
 * After a SIGTERM any further signal, SIGQUIT too, ends gitlab-runner at once, and the jobs that it just
 * ended are never reported. So it is noted on the host before it is sent, for this one process: whoever
 * comes next, in whichever run, sends nothing more. `incarnation` tells processes apart.
 * https://gitlab.com/gitlab-org/gitlab-runner/-/blob/v19.3.0/commands/multi.go (handleForcefulShutdown)
 *
 * Defines `was_terminated`, `note_termination`, `forget_termination`. From 19.1 on the runner itself says
 * that somebody has sent it such a signal.
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
 * Defines `patience CONFIGURATION`, which sets `longest`: for how long the runner may wait for its jobs, in seconds,
 * and some more for its own end. Zero and nothing are 30. The configuration is read for this one number.
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
