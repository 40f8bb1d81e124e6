import type { ScriptValues } from './script-parts.ts';

/** `tcp://localhost:7777` or `unix:///path`, as `gitlab-runner wrapper --grpc-listen` has it. */
export function wrapperAddress(wrapper: string): ScriptValues {
  const path = /^unix:\/\/(\/.+)$/.exec(wrapper)?.[1];
  if (path !== undefined) return { grpc: 'http://localhost', socket: path };
  return { grpc: wrapper.replace(/^tcp:/, 'http:') };
}

/**
 * Defines `call_wrapper METHOD [METHOD]`: the answer in hexadecimal as `od` prints it, empty if there was none. A second
 * method is called by the same curl right after the first; each answer ends with a full stop then, 2e.
 *
 * A gRPC call is an HTTP/2 request: five bytes of a head, and an empty message. A call that the
 * wrapper refuses has an answer without a message. Where this curl speaks no HTTP/2, or nobody
 * answers, the wrapper has said nothing.
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
 * Defines `told METHOD…`, which sets `said`: the state of the process in the wrapper after the first call, and
 * `read_status`, which reads it from `reply`. Field 1 of an answer is its status; zero is not sent. Anything else is
 * no answer.
 */
export const wrapperStatus = `
${callWrapper}
told() {
  reply=$(call_wrapper "$@")
  read_status
}
read_status() {
  reply=\${reply#"\${reply%%[! ]*}"}
  case $reply in
    '00 '??' '??' '??' '??' 08 01'*) said=running ;;
    '00 '??' '??' '??' '??' 08 02'*) said=in_shutdown ;;
    '00 '??' '??' '??' '??' 08 03'*) said=stopped ;;
    '00 00 00 00 00' | '00 00 00 00 00 2e'* | '00 '??' '??' '??' '??' 12'*) said=unknown ;;
    *) said=silent ;;
  esac
}
`.trim();

/** Defines `wrapper_quit`. Only its call: a signal to the wrapper kills the jobs in ten seconds. */
export const quitWrapper = `
${wrapperStatus}
wrapper_quit() {
  told InitGracefulShutdown
  case $said in
    in_shutdown) say result sent ;;
    stopped) say result already_stopped ;;
    running | unknown) say result wrapper_refused ;;
    *) say result wrapper_silent ;;
  esac
}
`.trim();

/**
 * Defines `tell_to_end` and `has_ended`. One call and no second: called twice, the runner ends without
 * waiting for its jobs to report. A wrapper before 17.10 has no such call, and answers without a message. The status
 * right after it is queried by the same curl, and is read where the end of the first answer is certain. Otherwise it is
 * queried again: some curl fails at the second call where the first one has no message.
 */
export const killWrapper = `
${wrapperStatus}
tell_to_end() {
  told InitForcefulShutdown CheckStatus
  first=$said
  case $first in running | unknown) say result wrapper_refused; return 1 ;; esac
  case $reply in
    '00 00 00 00 02 08 '??' 2e'*) reply=\${reply#*2e}; read_status ;;
    *) said=silent ;;
  esac
  [ "$said" != silent ] || told CheckStatus
  is_checked=1
  case $first/$said in
    in_shutdown/* | stopped/* | */in_shutdown | */stopped) return ;;
    */silent) say result wrapper_silent ;;
    *) say result wrapper_old ;;
  esac
  return 1
}
is_checked=
has_ended() {
  [ -n "$is_checked" ] || told CheckStatus
  is_checked=
  [ "$said" = stopped ] || stopped
}
`.trim();
