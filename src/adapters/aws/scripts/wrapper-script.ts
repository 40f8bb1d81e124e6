import type { ScriptValues } from './script-parts.ts';

/**
 * Parses `tcp://localhost:7777` or `unix:///path`, as in `gitlab-runner wrapper --grpc-listen`.
 */
export function wrapperAddress(wrapper: string): ScriptValues {
  const path = /^unix:\/\/(\/.+)$/.exec(wrapper)?.[1];
  if (path !== undefined) return { grpc: 'http://localhost', socket: path };
  return { grpc: wrapper.replace(/^tcp:/, 'http:') };
}

/**
 * Defines `call_wrapper METHOD [METHOD]`, which prints the response in the hexadecimal format of
 * `od`, or nothing without a response. The same curl calls a second method right after the first.
 * Each response then ends with a full stop, 2e.
 *
 * A gRPC call is an HTTP/2 request with five header bytes and an empty message. The response to a
 * refused call has no message. Without HTTP/2 in this curl, or without a wrapper, there is no
 * response.
 * https://gitlab.com/gitlab-org/gitlab-runner/-/blob/main/helpers/runner_wrapper/api/proto/wrapper.proto
 */
export const callWrapper = String.raw`
call_wrapper() {
  service=$grpc/gitlab_com.gitlab_runner.runner_wrapper.ProcessWrapper
  set -- ${'$'}{2:+--write-out .} "$service/$1" ${'$'}{2:+"$service/$2"}
  [ -z "${'$'}{socket:-}" ] || set -- --unix-socket "$socket" "$@"
  set -- --silent --noproxy '*' --max-time 5 --http2-prior-knowledge --header 'content-type: application/grpc' --header 'te: trailers' --data-binary @- "$@"
  printf '\000\000\000\000\000' |
    curl "$@" 2>/dev/null |
    od -A n -t x1 -N 100
}
`.trim();

/**
 * Defines `query_wrapper METHOD…`, which calls the wrapper and sets `process_state` to the state of its process after
 * the first call. Defines `read_status`, which reads the state from `reply`. Field 1 of a response
 * is the status; zero is not sent. Anything else counts as no response.
 */
export const wrapperStatus = `
${callWrapper}
query_wrapper() {
  reply=$(call_wrapper "$@")
  read_status
}
read_status() {
  reply=\${reply#"\${reply%%[! ]*}"}
  case $reply in
    '00 '??' '??' '??' '??' 08 01'*) process_state=running ;;
    '00 '??' '??' '??' '??' 08 02'*) process_state=in_shutdown ;;
    '00 '??' '??' '??' '??' 08 03'*) process_state=stopped ;;
    '00 00 00 00 00' | '00 00 00 00 00 2e'* | '00 '??' '??' '??' '??' 12'*) process_state=unknown ;;
    *) process_state=none ;;
  esac
}
`.trim();

/**
 * Defines `wrapper_quit`, which only uses the call: a signal to the wrapper kills the jobs after
 * ten seconds.
 */
export const quitWrapper = `
${wrapperStatus}
wrapper_quit() {
  query_wrapper InitGracefulShutdown
  case $process_state in
    in_shutdown) print result sent ;;
    stopped) print result already_stopped ;;
    running | unknown) print result wrapper_refused ;;
    *) print result wrapper_silent ;;
  esac
}
`.trim();

/**
 * Defines `request_end` and `has_ended`. The shutdown is called only once: after a second call, the
 * runner ends before its jobs report. A wrapper before 17.10 lacks the call and responds without a
 * message.
 *
 * The same curl queries the status right after the call. This status counts if the end of the first
 * response is certain. Otherwise the status is queried again: some versions of curl fail at the
 * second call if the first response has no message.
 */
export const killWrapper = `
${wrapperStatus}
request_end() {
  query_wrapper InitForcefulShutdown CheckStatus
  first=$process_state
  case $first in running | unknown) print result wrapper_refused; return 1 ;; esac
  case $reply in
    '00 00 00 00 02 08 '??' 2e'*) reply=\${reply#*2e}; read_status ;;
    *) process_state=none ;;
  esac
  [ "$process_state" != none ] || query_wrapper CheckStatus
  is_checked=1
  case $first/$process_state in
    in_shutdown/* | stopped/* | */in_shutdown | */stopped) return ;;
    */none) print result wrapper_silent ;;
    *) print result wrapper_old ;;
  esac
  return 1
}
is_checked=
has_ended() {
  [ -n "$is_checked" ] || query_wrapper CheckStatus
  is_checked=
  [ "$process_state" = stopped ] || stopped
}
`.trim();
