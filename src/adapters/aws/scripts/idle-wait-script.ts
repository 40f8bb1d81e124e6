/** Longest wait that the check document's parameter allows. */
export const longestWaitSeconds = 30;

/**
 * Defines `until_idle`: waits for at most `wait` seconds while `has_jobs` is true, and checks twice
 * a second. The limit is read from the host's uptime, which no change of the clock moves; the
 * number of checks bounds it as well.
 */
const loop = `
newline='
'
read_uptime() {
  elapsed=0
  { read -r elapsed _; } 2>/dev/null </proc/uptime || return 0
  elapsed=\${elapsed%%.*}\${elapsed#*.}
}
until_idle() {
  checks=$((\${wait:-0} * 2))
  [ $checks -gt 0 ] || return 0
  read_uptime
  begun=$elapsed
  while [ $checks -gt 0 ] && has_jobs; do
    checks=$((checks - 1))
    sleep 0.5 2>/dev/null || sleep 1
    read_uptime
    [ $((elapsed - begun)) -lt $((wait * 100)) ] || return 0
  done
}
`.trim();

/**
 * The runner lists a job, and its state is that of the first check. Any other response ends the
 * wait without proof: the following check reads the list again with its headers.
 */
export const untilEndpointIdle = String.raw`
${loop}
has_jobs() {
  set -- "http://127.0.0.1:$port/debug"
  seen=$(exec curl --silent --noproxy '*' --max-time 2 --write-out '\n%{http_code}\n' "$1/process/state" "$1/jobs/list" 2>/dev/null) || return 1
  case $seen in *"${'$'}{newline}url="*"${'$'}{newline}200") ;; *) return 1 ;; esac
  state=${'$'}{seen%%"${'$'}{newline}url="*}
  [ "$state" = "${'$'}{first_state:=$state}" ]
}
`.trim();

/**
 * Defines `until_idle` for GitHub's listener: it waits while the listener of the first check lives
 * and has a job. A job is a live worker, or a message in the listener's log without an end. Needs
 * `workers`, `open_messages` and `property`.
 */
export const untilListenerIdle = `
${loop}
has_jobs() {
  [ "$listener" = 0 ] || [ -d "/proc/$listener" ] || return 1
  workers >/dev/null
  case $? in 0) return 0 ;; 1) ;; *) return 1 ;; esac
  [ "$listener" != 0 ] && held=$(open_messages "$home") && [ "$held" != 0 ]
}
if [ "\${wait:-0}" -gt 0 ]; then
  shown=$(exec timeout -k 2 10 systemctl show --property=WorkingDirectory,MainPID "$name" 2>/dev/null)
  property WorkingDirectory
  home=$value
  property MainPID
  listener=\${value:-0}
fi
`.trim();
