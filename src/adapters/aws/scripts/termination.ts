/** What is longer is not waited for; the run of the script has to end. */
export const longestShutdownSeconds = 3600;

/**
 * After a SIGTERM any further signal, SIGQUIT too, ends gitlab-runner at once, and the jobs that it just
 * ended are never reported. So it is noted on the host before it is sent, for this one process: whoever
 * comes next, in whichever run, sends nothing more. Needs `incarnation`, which tells processes apart.
 * https://gitlab.com/gitlab-org/gitlab-runner/-/blob/v19.3.0/commands/multi.go (handleForcefulShutdown)
 *
 * Defines `was_terminated`, `note_termination`, `forget_termination`. From 19.1 on the runner itself says
 * that somebody has sent it such a signal.
 */
export const termination = `
noted=$MACHINE_ROOT/run/hosted-runner/$name.terminated
note_termination() { mkdir -p "\${noted%/*}" && incarnation >"$noted"; }
forget_termination() { rm -f "$noted"; }
was_terminated() {
  process=$(incarnation)
  [ -n "$process" ] && [ "$(cat "$noted" 2>/dev/null)" = "$process" ] && return
  [ "$(bounded 4 curl --silent --noproxy '*' --fail --max-time 2 "http://127.0.0.1:$port/debug/process/state" 2>/dev/null)" = forceful-shutdown ]
}
`.trim();

/** Of a container: its id, and when it was started. */
export const containerIncarnation = `
incarnation() { bounded 10 docker inspect --type container --format "$open.Id$close $open.State.StartedAt$close" "$name" 2>/dev/null; }
`.trim();

/** Of a unit: its main process, and when it was started. */
export const unitIncarnation = `
incarnation() {
  process_id=$(property MainPID)
  [ "$process_id" = 0 ] || printf '%s %s\\n' "$process_id" "$(property ExecMainStartTimestampMonotonic)"
}
`.trim();

/**
 * Defines `patience`: for how long the runner may wait for its jobs, in seconds, and some more for its own
 * end. Zero and nothing are 30. The configuration is read for this one number.
 */
export const patience = String.raw`
patience() {
  seconds=$(configuration 2>/dev/null | sed -n 's/^[[:space:]]*shutdown_timeout[[:space:]]*=[[:space:]]*\([0-9_]\{1,7\}\).*/\1/p' | head -n 1 | tr -d _)
  [ "${'$'}{seconds:-0}" -gt 0 ] || seconds=30
  [ "$seconds" -lt ${longestShutdownSeconds} ] || seconds=${longestShutdownSeconds}
  echo $((seconds + 15))
}
`.trim();
