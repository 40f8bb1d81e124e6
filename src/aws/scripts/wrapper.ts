import type { ScriptValues } from './parts.ts';

/** `tcp://localhost:7777` or `unix:///path`, as `gitlab-runner wrapper --grpc-listen` has it. */
export function wrapperAddress(wrapper: string): ScriptValues {
  const path = /^unix:\/\/(\/.+)$/.exec(wrapper)?.[1];
  if (path !== undefined) return { grpc: 'http://localhost', socket: path };
  return { grpc: wrapper.replace(/^tcp:/, 'http:') };
}

/**
 * Defines `call_wrapper METHOD`: the answer in hexadecimal on one line, empty if there was none.
 *
 * A gRPC call is an HTTP/2 request: five bytes of a head, and an empty message. A call that the
 * wrapper refuses has an answer without a message. Where this curl speaks no HTTP/2, or nobody
 * answers, the wrapper has said nothing.
 * https://gitlab.com/gitlab-org/gitlab-runner/-/blob/main/helpers/runner_wrapper/api/proto/wrapper.proto
 */
export const callWrapper = String.raw`
call_wrapper() {
  method=$1
  set -- --silent --noproxy '*' --max-time 5 --http2-prior-knowledge --header 'content-type: application/grpc' --header 'te: trailers' --data-binary @-
  [ -z "${'$'}{socket:-}" ] || set -- "$@" --unix-socket "$socket"
  printf '\000\000\000\000\000' |
    bounded 8 curl "$@" "$grpc/gitlab_com.gitlab_runner.runner_wrapper.ProcessWrapper/$method" 2>/dev/null |
    od -A n -t x1 | tr -d ' \n' | cut -c1-200
  echo
}
`.trim();

/**
 * Defines `told METHOD`: what the wrapper says of the process in it after that call. Field 1 of the
 * answer is its status; zero is not sent. Anything else is no answer.
 */
export const tellWrapper = `
${callWrapper}
told() {
  case $(call_wrapper "$1") in
    00????????0801*) echo running ;;
    00????????0802*) echo in_shutdown ;;
    00????????0803*) echo stopped ;;
    0000000000 | 00????????12*) echo unknown ;;
    *) echo silent ;;
  esac
}
`.trim();

/** Defines `wrapper_quit`. Only its call: a signal to the wrapper kills the jobs in ten seconds. */
export const quitWrapper = `
${tellWrapper}
wrapper_quit() {
  case $(told InitGracefulShutdown) in
    in_shutdown) say result sent ;;
    stopped) say result already_stopped ;;
    running | unknown) say result wrapper_refused ;;
    *) say result wrapper_silent ;;
  esac
}
`.trim();

/** Defines `wrapper_terminate`. Called twice, the runner ends without waiting for its jobs to report. */
export const killWrapper = `
${tellWrapper}
wrapper_terminate() {
  word=$(told InitForcefulShutdown)
  case $word in in_shutdown | stopped) ;; running | unknown) say result wrapper_refused; return ;; *) say result wrapper_silent; return ;; esac
  tries=0
  until [ "$word" = stopped ] || [ $tries -ge 60 ]; do
    sleep 1
    tries=$((tries + 1))
    [ $tries -eq 45 ] && told InitForcefulShutdown >/dev/null
    word=$(told CheckStatus)
  done
  [ "$word" = stopped ] && say result stopped || say result still_running
}
`.trim();
