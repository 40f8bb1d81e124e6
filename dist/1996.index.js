export const id=1996;export const ids=[1996,7428];export const modules={55768:(e,t,n)=>{n.d(t,{j:()=>s,v:()=>refuseClearText});var r=n(32024);let s="InsecureAddress";function refuseClearText(e){e.middlewareStack.add(e=>t=>{let{protocol:n="https:",hostname:o=""}=t.request??{},i=o.includes(":")&&!o.startsWith("[")?`[${o}]`:o,a=`${n}//${i}/`,d=URL.canParse(a)?(0,r.l)(new URL(a)):void 0;return void 0===d?e(t):Promise.reject(Object.assign(Error(d),{name:s}))},{step:"finalizeRequest",priority:"low",name:"refuseClearText"})}},783:(e,t,n)=>{n.d(t,{s1:()=>clientOptions,bO:()=>createAsked,gP:()=>lacking,os:()=>unexpected});var r=n(46172),s=n(55768),o=n(75549);function toPortFailure(e,t){let n=factsOf(e),{kind:s,sent:i}=judge(n);return new r.Yd({kind:s,effect:"write"===t.effect&&"maybe"===i?"unknown":"none",source:t.source,detail:(0,o.T)(t.redact(describe(n))),status:n.status})}let i={ParameterMaxVersionLimitExceeded:"the oldest of its 100 versions carries a label and cannot make room; move the label with aws ssm label-parameter-version",ParameterPatternMismatchException:"its AllowedPattern refuses the value",HierarchyTypeMismatch:"it has another type than this program writes; delete it and let it be created again",HierarchyTypeMismatchException:"it has another type than this program writes; delete it and let it be created again",ParameterLimitExceeded:"the account has no room for another parameter",TooManyUpdates:"somebody else is writing it at this moment"};function judge(e){let{name:t,message:n,code:r,status:o}=e;return t===s.j||a.test(n)?{kind:"refused",sent:"never"}:/^(?:Credentials|Token)?ProviderError$/.test(t)?{kind:"unauthenticated",sent:"never"}:void 0===o?judgeSilence(t,r,n):d.test(t)||429===o?{kind:"throttled",sent:"never"}:o>=500?{kind:"unavailable",sent:"maybe"}:o<400||!e.typed?{kind:"unexpected",sent:"maybe"}:u.test(t)||401===o?{kind:"unauthenticated",sent:"never"}:l.test(t)||403===o?{kind:"denied",sent:"never"}:{kind:"refused",sent:"never"}}function judgeSilence(e,t,n){return/^(?:ENOENT|EACCES|EISDIR|EPERM)$/.test(t??"")?{kind:"unauthenticated",sent:"never"}:/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(t??"")||"TimeoutError"===e&&/did not establish a connection/.test(n)?{kind:"unreachable",sent:"never"}:"TimeoutError"===e||"AbortError"===e||void 0!==t?{kind:"unreachable",sent:"maybe"}:{kind:"unexpected",sent:"maybe"}}let a=/^Region (?:is missing|not accepted)/,d=/^(?:Throttl(?:ing|ed)(?:Exception)?|RequestThrottled(?:Exception)?|TooManyRequestsException|RequestLimitExceeded|SlowDown|BandwidthLimitExceeded|TooManyUpdates)$/,u=/^(?:ExpiredToken(?:Exception)?|UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch|IncompleteSignature(?:Exception)?|MissingAuthenticationToken(?:Exception)?|TokenRefreshRequired|RequestExpired|AuthFailure|InvalidIdentityToken(?:Exception)?)$/,l=/^(?:AccessDenied(?:Exception)?|UnauthorizedOperation|UnauthorizedAccess|NotAuthorized|OptInRequired|KMSAccessDeniedException)$/;function factsOf(e){if("object"!=typeof e||null===e)return{name:"",message:String(e),code:void 0,status:void 0,typed:!1};let t=e.$metadata?.httpStatusCode??e.$response?.statusCode,{name:n,message:r}=unwrap("string"==typeof e.name?e.name:"","string"==typeof e.message?e.message:"");return{name:n,message:r,code:"string"==typeof e.code?e.code:/\bE[A-Z_]{4,}\b/.exec(r)?.[0],status:"number"==typeof t?t:void 0,typed:void 0!==e.$fault&&!["Error","UnknownError","Unknown"].includes(n)}}function unwrap(e,t){let[,n,r]=/^AWS SDK error wrapper for (\w+): (.*)$/s.exec(t)??[];return void 0===n||void 0===r?{name:e,message:t}:{name:n,message:r}}function describe({name:e,message:t,code:n,status:r,typed:o}){if("Region is missing"===t)return"no AWS region is configured; set AWS_REGION";if(a.test(t))return`${t} Set AWS_REGION.`;if(void 0!==r&&!o)return`HTTP ${r} with a body that cannot be read`;let d=t.replace(/^@smithy\/node-http-handler - (?:\[ERROR\] )?/,""),u="Error"===e||"TimeoutError"===e?n??"":e,l=""===u||d.includes(u)?d||u:""===d||"UnknownError"===d?u:`${u}: ${d}`;if(e===s.j)return d;let c=i[e];return void 0===c?l:`${c} (${l})`}async function retrying(e){let{attempt:t,clock:n,random:s,budgetMs:o,signal:i}=e,a=n.elapsed();for(let e=0;;e+=1){i?.throwIfAborted();try{return await t()}catch(d){if(i?.throwIfAborted(),!(0,r.oX)(d)||!passes(d))throw d;let t=chooseRetryPause({failure:d,round:e,fraction:s.fraction()});if(n.elapsed()-a+t>o)throw d;await n.sleep(t,i)}}}function passes(e){return"none"===e.effect&&(0,r.WG)(e)}function chooseRetryPause({failure:e,round:t,fraction:n}){return Math.round(Math.min(8e3,("throttled"===e.kind?500:200)*2**t)*(.5+n/2))}function createAsked(e,t,n){let s,{clock:o,random:i,redact:a,signal:d,retryBudgetMs:u=3e4}=t;async function attempt(r){let o=`${e} ${r.what}`,i="read"===r.effect&&void 0!==d;s??=n();let u=await s,l=t.budget?.of(endpointOf(e,r.what));await l?.enter(d??new AbortController().signal);try{let e=await r.call(u,i?{abortSignal:d}:{});return{kind:"answer",value:e}}catch(n){let t=findAnswer(n,r.answers??[]);if(void 0!==t)return t;throw naming(e,r.what,toPortFailure(n,{source:o,effect:r.effect,redact:a}))}finally{l?.heed(void 0)}}return{ask:e=>retrying({attempt:()=>attempt(e),clock:o,random:i,signal:d,budgetMs:u}),unexpected:t=>unexpected(e,t),refused:(t,n)=>new r.Yd({kind:"refused",effect:"none",source:`${e} ${t}`,detail:n}),close(){s?.then(e=>e.destroy()).catch(()=>void 0)}}}function endpointOf(e,t){return null===/^[A-Z][a-z]+Parameters?(?:ByPath|History)?\b/.exec(t)?`AWS ${e}`:/^(?:Get|Describe)/.test(t)?"AWS parameter reads":"AWS parameter writes"}function unexpected(e,{what:t,detail:n,effect:s}){return new r.Yd({kind:"unexpected",effect:"write"===s?"unknown":"none",source:`${e} ${t}`,detail:n})}function lacking(e,t,n){return e.unexpected({what:t,detail:`the answer has ${n}`,effect:"read"})}let c={SSM:"ssm",EC2:"ec2","Auto Scaling":"autoscaling","Resource Groups Tagging":"tag",IAM:"iam"};function naming(e,t,n){let s=`${c[e]}:${t.split(" ")[0]}`,{kind:o,detail:i}=n;return"denied"!==o||void 0===c[e]||i.includes(s)?n:new r.Yd({...n,kind:o,detail:`${i} (asked for ${s})`})}function clientOptions(e){return e.environment.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED??="true",{...e.configuration,maxAttempts:1,requestHandler:{requestTimeout:e.requestTimeoutMs??1e4,connectionTimeout:e.connectionTimeoutMs??5e3,throwOnRequestTimeout:!0}}}function findAnswer(e,t){let n=e?.name;if(void 0!==n&&t.includes(n))return{kind:"refusal",name:n,message:e.message}}},38887:(e,t,n)=>{n.d(t,{_:()=>listHosts,i:()=>isHostId});var r=n(72286),s=n(783),o=n(23380);async function listHosts(e,t){let n=(0,r.Zw)(t),i=`DescribeInstanceInformation tag:Name=${n}`,a=new Map;for await(let t of(0,o.n)({service:e,what:i,call:(e,t,r)=>e.describeInstanceInformation({Filters:[{Key:"tag:Name",Values:[n]}],MaxResults:50,...t},r)})){if(void 0===t.InstanceInformationList)throw(0,s.gP)(e,i,"no InstanceInformationList");for(let n of t.InstanceInformationList){let t=validHost(e,i,n);a.set(t.id,t)}}return[...a.values()]}let i=/^(?:i-[0-9a-f]{8,17}|mi-[0-9a-f]{17})$/;function isHostId(e){return i.test(e)}function validHost(e,t,n){let{InstanceId:r,PingStatus:o,LastPingDateTime:i}=n;if(void 0===r||!isHostId(r))throw(0,s.gP)(e,t,"no InstanceId in an entry");return{id:r,agent:"Online"===o?"online":"lost",...i instanceof Date&&!Number.isNaN(i.getTime())?{lastPingAt:i.toISOString()}:{}}}},81996:(e,t,n)=>{n.d(t,{createRunnerHost:()=>createRunnerHost});var r=n(46172);function script({values:e,addresses:t={},body:n}){return[...Object.entries(e).map(([e,t])=>`${e}='${checked(t,s)}'`),...Object.entries(t).map(([e,t])=>`${e}='${checked(t,o)}'`),i,n,"say end 1"].join("\n")}let s=/^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,254}$/,o=/^[A-Za-z0-9_/][A-Za-z0-9_.:~%/@-]{0,400}$/;function checked(e,t){if(t.test(e))return e;throw Error(`${JSON.stringify(e)} cannot be a name on a host.`)}let i=String.raw`
export LC_ALL=C
open='{''{'
close='}''}'
say() { printf '%s=%s\n' "$1" "$2"; }
lines() { sed "s/^/$1=/"; }
brief() { tr '\n\r' '  ' | cut -c1-300; }
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim(),a=`
log_lines() {
  room=$((22000 - $\{#seen}))
  tail -n 60 | cut -c1-2000 | lines log | tail -c "$room" | sed -e '1{' -e '/^log=/!d' -e '}'
}
`.trim(),d=`
status() { bounded 10 docker inspect --type container --format "$open.State.Status$close" "$name" 2>&1; }
`.trim(),u=`
property() { bounded 10 systemctl show --property="$1" "$name" | sed -n "s/^$1=//p"; }
`.trim(),l=String.raw`
stay_down() {
  folder=$MACHINE_ROOT/run/systemd/system/$name.d
  mkdir -p "$folder" &&
    printf '[Service]\nRestart=no\n' >"$folder/hosted-runner.conf" &&
    bounded 20 systemctl daemon-reload || return 1
  bounded 20 systemctl disable "$name" >/dev/null 2>&1
  [ "$(property Restart)" = no ]
}
`.trim();function unitName(e){return e.endsWith(".service")?e:`${e}.service`}function wrapperAddress(e){let t=/^unix:\/\/(\/.+)$/.exec(e)?.[1];return void 0!==t?{grpc:"http://localhost",socket:t}:{grpc:e.replace(/^tcp:/,"http:")}}let c=String.raw`
call_wrapper() {
  method=$1
  set -- --silent --noproxy '*' --max-time 5 --http2-prior-knowledge --header 'content-type: application/grpc' --header 'te: trailers' --data-binary @-
  [ -z "${"$"}{socket:-}" ] || set -- "$@" --unix-socket "$socket"
  printf '\000\000\000\000\000' |
    bounded 8 curl "$@" "$grpc/gitlab_com.gitlab_runner.runner_wrapper.ProcessWrapper/$method" 2>/dev/null |
    od -A n -t x1 | tr -d ' \n' | cut -c1-200
  echo
}
`.trim(),p=`
${c}
told() {
  case $(call_wrapper "$1") in
    00????????0801*) echo running ;;
    00????????0802*) echo in_shutdown ;;
    00????????0803*) echo stopped ;;
    0000000000 | 00????????12*) echo unknown ;;
    *) echo silent ;;
  esac
}
`.trim(),f=`
${p}
wrapper_quit() {
  case $(told InitGracefulShutdown) in
    in_shutdown) say result sent ;;
    stopped) say result already_stopped ;;
    running | unknown) say result wrapper_refused ;;
    *) say result wrapper_silent ;;
  esac
}
`.trim(),m=`
${p}
tell_to_end() {
  case $(told InitForcefulShutdown) in
    in_shutdown | stopped) return ;;
    running | unknown) say result wrapper_refused; return 1 ;;
  esac
  case $(told CheckStatus) in
    in_shutdown | stopped) return ;;
    silent) say result wrapper_silent ;;
    *) say result wrapper_old ;;
  esac
  return 1
}
has_ended() { [ "$(told CheckStatus)" = stopped ] || stopped; }
`.trim();function processScript({process:e,wrapper:t,listenPort:n},{withWrapper:r,noWrapper:s,docker:o,systemd:i}){let a=void 0===t?{}:wrapperAddress(t),l=String(n),c=void 0===t?s:r;return"docker"===e.kind?script({values:{name:e.container,port:l},addresses:a,body:[d,c,o].join("\n")}):script({values:{name:unitName(e.unit),port:l},addresses:a,body:[u,c,i].join("\n")})}let h=`
noted=$MACHINE_ROOT/run/hosted-runner/$name.terminated
note_termination() { mkdir -p "$\{noted%/*}" && incarnation >"$noted"; }
forget_termination() { rm -f "$noted"; }
was_terminated() {
  process=$(incarnation)
  [ -n "$process" ] && [ "$(cat "$noted" 2>/dev/null)" = "$process" ] && return
  [ "$(bounded 4 curl --silent --noproxy '*' --fail --max-time 2 "http://127.0.0.1:$port/debug/process/state" 2>/dev/null)" = forceful-shutdown ]
}
`.trim(),$=`
incarnation() { bounded 10 docker inspect --type container --format "$open.Id$close $open.State.StartedAt$close" "$name" 2>/dev/null; }
`.trim(),g=`
incarnation() {
  process_id=$(property MainPID)
  [ "$process_id" = 0 ] || printf '%s %s\\n' "$process_id" "$(property ExecMainStartTimestampMonotonic)"
}
`.trim(),k=String.raw`
patience() {
  seconds=$(configuration 2>/dev/null | sed -n 's/^[[:space:]]*shutdown_timeout[[:space:]]*=[[:space:]]*\([0-9_]\{1,7\}\).*/\1/p' | head -n 1 | tr -d _)
  [ "${"$"}{seconds:-0}" -gt 0 ] || seconds=30
  [ "$seconds" -lt ${3600} ] || seconds=${3600}
  echo $((seconds + 15))
}
`.trim();function killScript(e){return processScript(e,{withWrapper:m,noWrapper:w,docker:b,systemd:_})}let w=`
tell_to_end() { send TERM || forget_termination; }
has_ended() { stopped; }
`.trim(),y=`
terminate() {
  stopped && { say result stopped; return; }
  longest=$(patience)
  if ! was_terminated; then
    note_termination || { say result mark_failed; return; }
    tell_to_end || { forget_termination; return; }
  fi
  tries=0
  until has_ended; do
    [ $tries -lt "$longest" ] || { kill_at_last; return; }
    sleep 1
    tries=$((tries + 1))
  done
  say result stopped
}
kill_at_last() {
  force
  tries=0
  until stopped || [ $tries -ge 10 ]; do sleep 1; tries=$((tries + 1)); done
  stopped && say result stopped || say result still_running
}
`.trim(),b=`
${$}
${h}
${k}
configuration() { bounded 10 docker exec "$name" cat /etc/gitlab-runner/config.toml; }
stopped() { case $(status) in exited | dead | created) return 0 ;; *) return 1 ;; esac; }
send() { bounded 10 docker kill --signal="$1" "$name" >/dev/null 2>&1; }
force() { bounded 20 docker kill --signal=KILL "$name" >/dev/null 2>&1; }
${y}
found=$(status)
if [ $? -ne 0 ]; then
  say detail "$(printf '%s' "$found" | brief)"
  say result unknown_container
elif ! bounded 10 docker update --restart=no "$name" >/dev/null 2>&1; then
  say result restart_stays
else
  terminate
fi
`.trim(),_=`
${g}
${h}
${k}
${l}
configuration() { cat /etc/gitlab-runner/config.toml; }
stopped() { [ "$(property MainPID)" = 0 ]; }
send() { bounded 10 systemctl kill --signal="SIG$1" --kill-who=main "$name" >/dev/null 2>&1; }
force() { bounded 10 systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1; }
${y}
if [ "$(property LoadState)" = not-found ]; then
  say result unknown_unit
elif ! stay_down; then
  say result restart_stays
else
  terminate
fi
`.trim(),v=String.raw`
    / INFO Listener\] Runner is built for / { jobs = 0; message = 0; next }
    / INFO (Broker)?MessageListener\] Message .* received/ { message = 1; next }
    / INFO (Broker)?MessageListener\] No message retrieved / { message = 0; next }
    / INFO JobDispatcher\] Job request .* received\./ { message = 0; jobs++; next }
    / INFO (Broker)?MessageListener\] Received job status event\. JobState: Online/ { if (jobs > 0) jobs--; next }
    / INFO JobDispatcher\] Job cancellation request / { message = 0; next }
    / (INFO|ERR ) Runner\] (Skipping message Job|Caught exception from acquiring job message|Skip message deletion|Refresh message received|Received ForceTokenRefreshMessage|No session restart needed|Runner configuration was updated|Received message .* with unsupported message type)/ { message = 0 }
    END { print jobs + message }
`.slice(1,-1),S=String.raw`
open_messages() {
  set -- "$1"/_diag/Runner_*-utc.log
  [ -r "$1" ] || return 1
  while [ $# -gt 3 ]; do shift; done
  bounded 20 awk '
${v}
  ' "$@"
}
`.trim();function quitUnit({signal:e,before:t="",instead:n=""}){return`
${l}
quit() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  stay_down || { say result restart_stays; return; }
  ${t}
  if [ "$(property MainPID)" = 0 ]; then
    # Between two starts there is no process that a stop could interrupt.
    [ "$(property ActiveState)" = activating ] && bounded 20 systemctl stop "$name" >/dev/null 2>&1
    [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  fi
  ${n}
  told=$(bounded 10 systemctl kill --signal=${e} --kill-who=main "$name" 2>&1) && { say result sent; return; }
  [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result signal_failed
}
quit
`.trim()}function lookAtActionsRunner({unit:e}){return script({values:{name:unitName(e)},body:[u,x,S,'say clock "$(date +%s)"',a,I].join("\n")})}function quitActionsRunner({unit:e}){return script({values:{name:unitName(e)},body:[u,x,S,R,A].join("\n")})}let x=String.raw`
workers() { bounded 10 pgrep -f '[R]unner\.Worker spawnclient'; }
`.trim(),I=String.raw`
look() {
  shown=$(bounded 10 systemctl show --property=LoadState,ActiveState,SubState,Restart,WorkingDirectory "$name" 2>&1)
  say show_code $?
  printf '%s\n' "$shown" | head -n 8 | cut -c1-300 | lines unit
  found=$(workers)
  say workers_code $?
  printf '%s\n' "$found" | grep -E '^[0-9]+$' | head -n 60 | lines worker
  home=$(printf '%s\n' "$shown" | sed -n 's/^WorkingDirectory=//p')
  if [ "$(property MainPID)" != 0 ]; then
    if held=$(open_messages "$home"); then say messages "$held"; else say messages unreadable; fi
  fi
  if [ -n "$home" ]; then
    sed -n 's/.*"agentName": *"\([^"]*\)".*/agent=\1/p' "$home/.runner" 2>/dev/null | head -n 1 | cut -c1-200
    bounded 10 "$home/bin/Runner.Listener" --version 2>/dev/null | head -n 1 | cut -c1-60 | lines version
  fi
}
seen=$(look)
printf '%s\n' "$seen"
bounded 10 journalctl --unit="$name" --lines=60 --no-pager --output=cat 2>&1 | log_lines
`.trim(),R=String.raw`
main_signal() { bounded 10 systemctl kill --signal="$1" --kill-who=main "$name" 2>&1; }
thaw() { trap - EXIT HUP INT TERM; main_signal SIGCONT >/dev/null; }
is_frozen() {
  case $(bounded 5 ps -o stat= -p "$1") in T* | t*) return 0 ;; *) return 1 ;; esac
}
freeze() {
  trap 'thaw; exit 1' HUP INT TERM
  trap thaw EXIT
  main_signal SIGSTOP >/dev/null || return 1
  tries=0
  until is_frozen "$1"; do
    [ $tries -lt 5 ] || return 1
    sleep 1
    tries=$((tries + 1))
  done
}
is_listener() { bounded 10 pgrep -f '[R]unner\.Listener run' | grep -qx "$1"; }
`.trim(),A=quitUnit({signal:"SIGKILL",before:`
  idle() {
    found=$(workers)
    case $? in
      0) say detail "process $(printf '%s' "$found" | brief)"; say result runs_a_job; return 1 ;;
      1) return 0 ;;
      *) say result workers_unknown; return 1 ;;
    esac
  }
  idle || return
`.trim(),instead:`
  pid=$(property MainPID)
  is_listener "$pid" || { say result not_listener; return; }
  freeze "$pid" || { thaw; say result not_frozen; return; }
  idle || { thaw; return; }
  held=$(open_messages "$(property WorkingDirectory)") || { thaw; say result record_unreadable; return; }
  [ "$held" = 0 ] || { thaw; say detail "$held open"; say result has_message; return; }
`.trim()});function lookScript({process:e,listenPort:t,wrapper:n}){let r=String(t);if("actions_runner"===e.kind)return lookAtActionsRunner(e);let s="docker"===e.kind;return script({values:{name:s?e.container:unitName(e.unit),port:r},...void 0===n?{}:{addresses:wrapperAddress(n)},body:[T,void 0===n?N:E,'say clock "$(date +%s)"',a,s?j:C].join("\n")})}let N="wrapper() { :; }",E=`
${c}
wrapper() { call_wrapper CheckStatus | lines wrapper; }
`.trim(),T=String.raw`
fetch() {
  answer=$(bounded 8 curl --silent --noproxy '*' --max-time 5 --include "http://127.0.0.1:$port$2" 2>/dev/null)
  say "$1_code" $?
  say "$1_lines" "$(printf '%s\n' "$answer" | wc -l | tr -d ' ')"
  printf '%s\n' "$answer" | tr -d '\r' | head -n 40 | cut -c1-160 | lines "$1"
}
metrics() {
  answer=$(bounded 8 curl --silent --noproxy '*' --fail --max-time 5 "http://127.0.0.1:$port/metrics" 2>/dev/null)
  printf '%s\n' "$answer" | grep '^gitlab_runner_version_info' | head -n 1 | cut -c1-500 | lines metric
  printf '%s\n' "$answer" | grep 'system_id="' | head -n 1 | cut -c1-500 | lines metric
  printf '%s\n' "$answer" | grep -E '^(gitlab_runner_concurrent |gitlab_runner_api_request_statuses_total\{.*endpoint="request_job")' | head -n 40 | cut -c1-400 | lines requests
  printf '%s\n' "$answer" | grep -E '^(fleeting_taskscaler_tasks|gitlab_runner_autoscaling_machine_states)\{.*state="idle"' | sed 's/.*}/}/' | head -n 40 | cut -c1-40 | lines idle
}
endpoints() {
  fetch state /debug/process/state
  fetch ready /health/ready
  fetch jobs /debug/jobs/list
  metrics
  wrapper
}
`.trim(),j=String.raw`
look() {
  inspected=$(bounded 10 docker inspect --type container --format "$open.State.Status$close $open.HostConfig.RestartPolicy.Name$close $open if .State.Health $close$open.State.Health.Status$close$open end $close" "$name" 2>&1)
  say inspect_code $?
  printf '%s\n' "$inspected" | brief | lines inspect
  endpoints
  bounded 10 docker exec "$name" cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | head -n 1 | cut -c1-40 | lines system_id
  bounded 10 docker exec "$name" gitlab-runner --version 2>/dev/null | sed -n 's/^Version: */version=/p' | head -n 1 | cut -c1-60
}
if command -v docker >/dev/null 2>&1; then
  seen=$(look)
  printf '%s\n' "$seen"
  bounded 10 docker logs --tail 60 "$name" 2>&1 | log_lines
else
  say inspect_code 127
  say inspect 'docker: command not found'
  endpoints
fi
`.trim(),C=String.raw`
look() {
  shown=$(bounded 10 systemctl show --property=LoadState,ActiveState,SubState,Restart "$name" 2>&1)
  say show_code $?
  printf '%s\n' "$shown" | head -n 8 | cut -c1-300 | lines unit
  endpoints
  cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | head -n 1 | cut -c1-40 | lines system_id
  bounded 10 gitlab-runner --version 2>/dev/null | sed -n 's/^Version: */version=/p' | head -n 1 | cut -c1-60
}
seen=$(look)
printf '%s\n' "$seen"
bounded 10 journalctl --unit="$name" --lines=60 --no-pager --output=cat 2>&1 | log_lines
`.trim();function probeScript({process:e},{id:t,image:n}){let r={probe:`health-check-${t}`,ttl:String(O)};return void 0!==n?script({values:r,addresses:{wanted:n},body:[M,L,H].join("\n")}):"docker"===e.kind?script({values:{...r,name:e.container},body:[M,q,H].join("\n")}):script({values:r,body:[M,P,H].join("\n")})}let O=600,M=String.raw`
mark=hosted-runner.health-check
until=hosted-runner.expires
expired() {
  case $1 in health-check-*) ;; *) return 1 ;; esac
  case $2 in '' | *[!0-9]*) return 1 ;; esac
  [ "$2" -lt "$(date +%s)" ]
}
# Containers first: docker keeps a volume that a container still uses. A few of them each time: on a
# host that hangs this must not take the time of the probe itself.
in_time() { [ $(($(date +%s) - began)) -lt 40 ]; }
collect() {
  began=$(date +%s)
  for leftover in $(bounded 10 docker ps --all --quiet --filter name=health-check- | head -n 20); do
    in_time || return
    found=$(bounded 10 docker inspect --type container --format "$open.Name$close $open index .Config.Labels \"$until\"$close" "$leftover" | tr -d /)
    expired "${"$"}{found%% *}" "${"$"}{found##* }" && bounded 20 docker rm --force "$leftover"
  done
  for leftover in $(bounded 10 docker volume ls --quiet --filter name=health-check- | head -n 20); do
    in_time || return
    expired "$leftover" "$(bounded 10 docker volume inspect --format "$open index .Labels \"$until\"$close" "$leftover")" &&
      bounded 20 docker volume rm "$leftover"
  done
}
step() {
  label=$1
  shift
  told=$("$@" 2>&1)
  code=$?
  say "$label" "$code"
  [ $code -eq 0 ] || say detail "$(printf '%s' "$told" | brief)"
  return $code
}
work() {
  expires=$(($(date +%s) + ttl))
  step volume bounded 20 docker volume create --label "$mark=1" --label "$until=$expires" "$probe" || return
  step container bounded 45 docker run --name "$probe" --label "$mark=1" --label "$until=$expires" \
    --pull never --network none --volume "$probe:/health-check" --entrypoint /bin/sh "$image" \
    -c 'echo "$0" >/health-check/mark && sync && test "$(cat /health-check/mark)" = "$0"' "$probe"
}
tidy() {
  [ -n "$(bounded 10 docker ps --all --quiet --filter "name=$probe" 2>/dev/null)" ] &&
    step container_removal bounded 20 docker rm --force "$probe"
  step volume_removal bounded 20 docker volume rm "$probe"
}
`.trim(),q=`
choose_image() { bounded 10 docker inspect --type container --format "$open.Image$close" "$name" 2>&1; }
`.trim(),P=String.raw`
choose_image() {
  for reference in '*gitlab-runner-helper*' '*/*/*gitlab-runner-helper*' '*/*/*/*gitlab-runner-helper*' alpine busybox; do
    found=$(bounded 10 docker images --quiet --filter "reference=$reference" 2>/dev/null | head -n 1)
    [ -n "$found" ] && { printf '%s\n' "$found"; return; }
  done
  return 1
}
`.trim(),L=`
choose_image() { step registry bounded 60 docker pull --quiet "$wanted" >&3 && printf '%s\\n' "$wanted"; }
`.trim(),H=`
exec 3>&1
if command -v docker >/dev/null 2>&1; then
  collect >/dev/null 2>&1
  if image=$(choose_image); then
    say image 0
    work
    tidy
  else
    say image 1
    say detail "$(printf '%s' "$image" | brief)"
  fi
else
  say docker 127
fi
`.trim();function quitScript(e){let{process:t}=e;return"actions_runner"===t.kind?quitActionsRunner(t):processScript(e,{withWrapper:f,noWrapper:"wrapper_quit() { return 1; }",docker:W,systemd:D})}let W=`
${$}
${h}
quit() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  told=$(bounded 10 docker update --restart=no "$name" 2>&1) || { say detail "$(printf '%s' "$told" | brief)"; say result restart_stays; return; }
  tries=0
  found=$(status)
  while [ "$found" = restarting ] && [ $tries -lt 15 ]; do
    sleep 1
    tries=$((tries + 1))
    found=$(status)
  done
  case $found in
    exited | dead | created) say result already_stopped; return ;;
    running) ;;
    *) say detail "its state is $(printf '%s' "$found" | brief)"; say result wrong_state; return ;;
  esac
  was_terminated && { say result sent; return; }
  wrapper_quit && return
  told=$(bounded 10 docker kill --signal=QUIT "$name" 2>&1) && { say result sent; return; }
  found=$(status)
  case $found in
    exited | dead) say result already_stopped ;;
    *) say detail "$(printf '%s' "$told" | brief)"; say result signal_failed ;;
  esac
}
if command -v docker >/dev/null 2>&1; then quit; else say result no_docker; fi
`.trim(),D=[g,h,quitUnit({signal:"SIGQUIT",instead:"was_terminated && { say result sent; return; }\n  wrapper_quit && return"})].join("\n");function reachScript(e){return script({values:{},addresses:Object.fromEntries(e.map((e,t)=>[`target_${t}`,urlOf(e)])),body:[z,...e.map((e,t)=>`ask ${t} "$target_${t}" &`),"wait"].join("\n")})}function urlOf(e){return e.includes("://")?e:`http://${e}/`}let z=`
ask() {
  seen=$(bounded 12 curl --silent --connect-timeout 5 --max-time 10 --output /dev/null --write-out '%{time_connect} %{http_code}' "$2" </dev/null 2>/dev/null)
  say reach "$1 $? $seen"
}
`.trim();function startScript(e){return processScript(e,{withWrapper:U,noWrapper:"runner_ended() { return 1; }",docker:G,systemd:F})}let U=`${p}
runner_ended() { [ "$(told CheckStatus)" = stopped ]; }`,G=`
again() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  case $found in
    running) runner_ended || { say result already_running; return; }; verb=restart ;;
    exited | created) verb=start ;;
    *) say detail "its state is $(printf '%s' "$found" | brief)"; say result wrong_state; return ;;
  esac
  told=$(bounded 10 docker update --restart=always "$name" 2>&1) &&
    told=$(bounded 60 docker $verb "$name" 2>&1) && { say result started; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result start_failed
}
if command -v docker >/dev/null 2>&1; then again; else say result no_docker; fi
`.trim(),F=`
again() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  verb=start
  if [ "$(property MainPID)" != 0 ]; then
    runner_ended || { say result already_running; return; }
    verb=restart
  fi
  rm -f "$MACHINE_ROOT/run/systemd/system/$name.d/hosted-runner.conf"
  told=$(bounded 20 systemctl daemon-reload 2>&1) &&
    told=$(bounded 20 systemctl enable "$name" 2>&1) &&
    told=$(bounded 60 systemctl $verb "$name" 2>&1) && { say result started; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result start_failed
}
again
`.trim();function verifyScript({process:e}){return"docker"===e.kind?script({values:{name:e.container},body:tell('docker exec "$name" gitlab-runner verify')}):script({values:{name:unitName(e.unit)},body:tell("gitlab-runner verify")})}function tell(e){return String.raw`
told=$(bounded 40 ${e} 2>&1)
say verify_code $?
printf '%s\n' "$told" | tail -n 20 | cut -c1-2000 | lines verify
`.trim()}var J=n(75549);function parseHostOutput(e){let t=new Map;for(let n of e.split("\n")){let[,e,r]=/^([a-z_]+)=(.*)$/s.exec(n)??[];if(void 0===e||void 0===r)continue;let s=t.get(e);void 0===s?t.set(e,[r]):s.push(r)}return{first:e=>t.get(e)?.[0],all:e=>t.get(e)??[],complete:t.has("end")}}function wholeNumber(e){return void 0!==e&&/^\d{1,9}$/.test(e)?Number(e):void 0}var B=n(38887);function readHttpAnswer(e,t){let n=wholeNumber(e.first(`${t}_lines`));if("0"!==e.first(`${t}_code`)||void 0===n)return;let r=e.all(t),s=Number(/^HTTP\/[\d.]+ (\d{3})\b/.exec(r[0]??"")?.[1]),o=r.indexOf("");if(Number.isNaN(s)||o<1)return;let i=r.slice(o+1),a=Math.max(0,n-r.length),d=i.filter(e=>""!==e.trim());return{status:s,headers:new Map(r.slice(1,o).map(splitHeader)),lines:d,lineCount:d.length+a}}function splitHeader(e){let t=e.indexOf(":");return t<0?[e.toLowerCase(),""]:[e.slice(0,t).toLowerCase(),e.slice(t+1).trim()]}let Z={process:"unknown",restarts:!0};function readProcess(e){return void 0!==e.first("inspect_code")?readContainer(e):void 0!==e.first("show_code")?readUnit(e):Z}let V={created:"stopped",restarting:"starting",running:"running",exited:"stopped",dead:"stopped"};function readContainer(e){let t=e.first("inspect")??"";if("0"!==e.first("inspect_code"))return/No such (?:object|container)\b/i.test(t)?{process:"absent",restarts:!1}:Z;let[n="",r]=t.trim().split(" ");return{process:V[n]??"unknown",restarts:"no"!==r}}let K={active:"running",reloading:"running",activating:"starting",deactivating:"quitting",inactive:"stopped",failed:"stopped"};function readUnit(e){if("0"!==e.first("show_code"))return Z;let t=new Map(e.all("unit").map(e=>{let t=e.indexOf("=");return[e.slice(0,t),e.slice(t+1)]}));return"not-found"===t.get("LoadState")?{process:"absent",restarts:!1}:{process:K[t.get("ActiveState")??""]??"unknown",restarts:"no"!==t.get("Restart")}}function readReport(e,t,n){let{process:r,restarts:s}=readProcess(e),o=readJobs(e,t),i="stopped"===r&&e.all("worker").length>0?"quitting":r,a=readHealth(e),d=readWrapper(e),u=readIdleWorkers(e),l=readRequests(e),c=readClock(e,n),p=readSystemId(e),f=readVersion(e);return{kind:"report",process:refine(i,e,d),restarts:s,jobs:o,ready:readReady(e),...void 0===a?{}:{health:a},...void 0===d?{}:{wrapper:d},...void 0===l?{}:{requests:l},...void 0===u?{}:{idleWorkers:u},...void 0===c?{}:{clockOffMs:c},...void 0===p?{}:{systemId:p},...void 0===f?{}:{version:f},log:e.all("log").map(e=>(0,J.k)(e,t))}}function refine(e,t,n){if("running"!==e)return e;if("stopped"===n)return"stopped";if("in_shutdown"===n)return"quitting";let r=readHttpAnswer(t,"state");if(r?.status!==200)return e;switch(r.lines[0]?.trim()){case"starting":return"starting";case"graceful-shutdown":case"forceful-shutdown":return"quitting";default:return"running"}}function readClock(e,t){let n=e.first("clock")??"";if(void 0===t||!/^\d{9,11}$/.test(n))return;let r=1e3*Number(n);return r>t.to?r-t.to:r+1e3<t.from?r+1e3-t.from:0}function readHealth(e){if("0"!==e.first("inspect_code"))return;let t=e.first("inspect")?.trim().split(" ")[2];return"starting"===t||"healthy"===t||"unhealthy"===t?t:void 0}let Y=["unknown","running","in_shutdown","stopped"];function readWrapper(e){let[,t,n=""]=/^00([0-9a-f]{8})([0-9a-f]*)$/.exec(e.first("wrapper")??"")??[];if(void 0===t||2*Number.parseInt(t,16)!==n.length)return;let r=/^08([0-9a-f]{2})/.exec(n)?.[1];return void 0===r?"unknown":Y[Number.parseInt(r,16)]}function readIdleWorkers(e){let t=e.all("idle").map(e=>Number(/^\} (\d+(?:\.\d+)?)$/.exec(e)?.[1])),n=t.reduce((e,t)=>e+t,0);return 0===t.length||Number.isNaN(n)?void 0:n}function readRequests(e){let t=e.all("requests");if(0===t.length)return;let n=Number(/^gitlab_runner_concurrent (\d+)$/m.exec(t.join("\n"))?.[1]),count=(...e)=>t.filter(t=>e.includes(/[{,]status="(\d+)"/.exec(t)?.[1]??"")).reduce((e,t)=>e+(Number(/\} (\S+)$/.exec(t)?.[1])||0),0);return{answered:count("201","204"),refused:count("403"),...Number.isNaN(n)?{}:{slots:n}}}function readJobs(e,t){if(void 0!==e.first("workers_code"))return readWorkers(e);let n=readHttpAnswer(e,"jobs");if(n?.status!==200||!n.headers.has("x-list-version"))return;let r=n.lineCount-n.lines.length;return[...n.lines.map(e=>(0,J.T)(t(e))),...Array.from({length:r},()=>"a job that the host did not print")]}function readWorkers(e){let t=e.all("worker").map(e=>`Runner.Worker, process ${(0,J.T)(e)}`),n=e.first("workers_code");return"0"===n&&t.length>0?t:"1"!==n||t.length>0?void 0:readMessages(e.first("messages"))}function readMessages(e){if(void 0===e)return[];let t=wholeNumber(e);if(void 0!==t)return Array.from({length:t},()=>"a job that the listener holds before its Runner.Worker")}function readReady(e){let t=readHttpAnswer(e,"ready");return void 0===t||404===t.status?"not_offered":200===t.status?"ready":"not_ready"}let Q=/^[sr]_[0-9a-zA-Z]{12}$/;function readSystemId(e){let t=e.first("agent")?.trim()??"";if(/^[A-Za-z0-9][\w.-]{0,199}$/.test(t))return t;let n=e.all("metric").flatMap(e=>/system_id="([^"]*)"/.exec(e)?.[1]??[]);return[...e.all("system_id").map(e=>e.trim()),...n].find(e=>Q.test(e))}function readVersion(e){let t=e.all("metric").filter(e=>e.startsWith("gitlab_runner_version_info")).flatMap(e=>/[{,]version="([^"]*)"/.exec(e)?.[1]??[]);return[...e.all("version").map(e=>e.trim()),...t].find(e=>/^[0-9A-Za-z][0-9A-Za-z.+~-]{0,50}$/.test(e))}function judgeReachability(e,t){let n=new Map(e.all("reach").map(e=>{let[t="",...n]=e.split(" ");return[t,n]}));return t.map((e,t)=>judge(e,n.get(String(t))))}function judge(e,t){if(void 0===t)return{target:e,kind:"refused",detail:"it was not asked"};let[n="",r="",s=""]=t,o=Number(r)>0;return e.includes("://")?"0"!==n?{target:e,kind:"refused",detail:explain(n)}:isWelcome(Number(s))?{target:e,kind:"reached",detail:`it answers ${s}`}:{target:e,kind:"refused",detail:`it answers ${s}`}:o?{target:e,kind:"reached",detail:"it takes connections"}:{target:e,kind:"refused",detail:explain(n)}}function isWelcome(e){return e>=200&&e<500&&403!==e&&407!==e&&429!==e}let X={5:"the name of the proxy cannot be resolved",6:"its name cannot be resolved",7:"no connection",28:"no answer in time",35:"no TLS connection",51:"its certificate is not trusted",60:"its certificate is not trusted",77:"the certificates of the host cannot be read",124:"no answer in time",127:"the host has no curl",137:"no answer in time"};function explain(e){return X[e]??`curl ends with ${e}`}var ee=n(40259),et=n(17428);function judgeInvocation(e,{executionSeconds:t,mayHaveBegun:n}){if(void 0===e)return{kind:"waiting",reason:"Run Command has shown no invocation of the command"};let{Status:r,StatusDetails:s=""}=e;switch(s.replaceAll(" ","").toLowerCase()){case"deliverytimedout":return n||hasBegun(e)?{kind:"lost",reason:"its agent fell silent, and the command may have begun"}:undelivered("its agent did not fetch the command in time");case"undeliverable":return undelivered("Run Command could not deliver the command to its agent");case"executiontimedout":return hung(t);case"terminated":return undelivered("Run Command gave the command up because of other failures")}switch(r){case"Success":case"Failed":return ended(e);case"Pending":case"Delayed":return{kind:"waiting",reason:`its agent has not begun the command (${r})`};case"InProgress":case"Cancelling":return{kind:"waiting",reason:`the command did not end on the host (${r})`};case"TimedOut":return hung(t);case"Cancelled":return{kind:"lost",reason:"somebody cancelled the command"};default:return{kind:"unknown",reason:`the answer has the Status ${JSON.stringify(r)}`}}}function hasBegun(e){let{Status:t,ResponseCode:n=-1,ExecutionStartDateTime:r}=e;return"InProgress"===t||"Cancelling"===t||-1!==n||!!r}function ended(e){let{ResponseCode:t,StandardOutputContent:n}=e;return"number"!=typeof t||"string"!=typeof n?{kind:"unknown",reason:"the answer has no ResponseCode or no StandardOutputContent"}:{kind:"ended",exitCode:t,output:n,errors:e.StandardErrorContent??""}}function undelivered(e){return{kind:"undelivered",reason:e}}function hung(e){return{kind:"lost",reason:`the command began and did not end within ${e}s: the host's disk or docker hangs`}}function createRunCommand({ssm:e,clock:t,signal:n}){return{async run(r){let s=await send(e,r);return"undelivered"===s.kind?s:follow({ssm:e,clock:t,signal:n,order:r,commandId:s.commandId})}}}async function send(e,{hostId:t,script:n,comment:r,executionSeconds:s,effect:o}){let i=`SendCommand ${t}`,a=await e.ask({what:i,effect:o,call:e=>e.sendCommand({DocumentName:"AWS-RunShellScript",InstanceIds:[t],TimeoutSeconds:30,Comment:r.slice(0,100),Parameters:{commands:n.split("\n"),executionTimeout:[String(s)]}}),answers:["InvalidInstanceId"]});if("refusal"===a.kind)return{kind:"undelivered",reason:`Systems Manager does not know ${t} as a host that can be asked (InvalidInstanceId): its agent is not registered, it is stopped or terminated, or the role may not send it commands`};let d=a.value.Command?.CommandId;if(void 0!==d&&/^[0-9a-f-]{36}$/.test(d))return{kind:"sent",commandId:d};throw(0,et.unexpectedAnswer)({what:i,detail:"the answer has no CommandId",effect:o})}async function follow({ssm:e,clock:t,signal:n,order:r,commandId:s}){let o=30+r.executionSeconds+15,i=t.elapsed(),a=(30+r.executionSeconds)*1e3,d=!1;return(0,ee.c)({clock:t,signal:n,cadence:{pollMs:2e3,fineMs:600}},async n=>{if(1===n)return(0,ee.y8)({kind:"fresh",looks:0});let u=await findInvocation(e,r,s);d||=void 0!==u&&hasBegun(u);let l="write"===r.effect&&t.elapsed()-i>=a,c=judgeInvocation(u,{executionSeconds:r.executionSeconds,mayHaveBegun:d||l});if("unknown"===c.kind)throw(0,et.unexpectedAnswer)({what:`GetCommandInvocation ${r.hostId}`,detail:c.reason,effect:r.effect});return"waiting"!==c.kind?(0,ee.cI)(c):t.elapsed()-i>=1e3*o?(0,ee.cI)({kind:"lost",reason:`${c.reason} for ${o}s`}):(0,ee.y8)({kind:"fresh",looks:n-1})})}async function findInvocation(e,{hostId:t,effect:n},s){let o=`GetCommandInvocation ${t}`;try{let n=await e.ask({what:o,effect:"read",call:(e,n)=>e.getCommandInvocation({CommandId:s,InstanceId:t},n),answers:["InvocationDoesNotExist"]});return"refusal"===n.kind?void 0:n.value}catch(e){if(!(e instanceof r.Yd)||"read"===n)throw e;throw new r.Yd({...e,effect:"unknown"})}}let en={unknown_container:"docker does not know the container",unknown_unit:"systemd does not know the unit",no_docker:"the host has no docker command",no_systemd:"the host has no systemd",restart_stays:"the restart could not be disabled, so that nothing was stopped",wrong_state:"the container cannot take a signal now",signal_failed:"the signal could not be sent",wrapper_silent:"the gRPC wrapper did not answer, and a signal to it would kill the jobs",wrapper_refused:"the gRPC wrapper did not pass the shutdown on to the runner in it",wrapper_old:"the gRPC wrapper has no call that ends jobs (gitlab-runner before 17.10), and a signal to it gives them ten seconds",mark_failed:"the host cannot note that its runner is told to end, and a second signal would lose what its jobs report",workers_unknown:"whether the runner has a job could not be seen, so that nothing was stopped",not_listener:"the unit's main process is not Runner.Listener itself, so that it cannot be frozen and nothing was stopped",not_frozen:"the listener could not be frozen, so that nothing was stopped",record_unreadable:"the listener's own record (_diag/Runner_*.log) cannot be read, so that nothing was stopped",start_failed:"the runner could not be started",still_running:"the process did not end after SIGTERM and SIGKILL"};function judgeStart(e,t){return stop_result_judge({text:e,redact:t,words:{started:"started",already_running:"already_running"}})}let er={runs_a_job:"the runner has a job after all, so that it goes on",has_message:"the listener holds a message that has no end yet, so that it goes on"};function judgeQuit(e,t){let n=parseHostOutput(e),r=er[n.first("result")??""];return void 0!==r&&n.complete?{kind:"busy",reason:r}:judgeStop(e,t)}function judgeStop(e,t){return stop_result_judge({text:e,redact:t,words:{sent:"sent",already_stopped:"already_stopped",stopped:"already_stopped"}})}function stop_result_judge({text:e,redact:t,words:n}){let r=parseHostOutput(e),s=new Map(Object.entries(n)).get(r.first("result")??"");return void 0!==s&&r.complete?{kind:s}:{kind:"refused",reason:refusalOf(r,t)}}function refusalOf(e,t){let n=(0,J.T)(t(e.first("detail")??"")),r=en[e.first("result")??""]??"the script did not say what it did";return""===n?r:`${r}: "${n}"`}function judgeVerification(e,t){let n=e.all("verify").map(e=>(0,J.k)(e,t)),r=n.find(e=>/\bis (?:removed|not valid)\b|403 Forbidden/i.test(e));if(void 0!==r)return{kind:"refused",detail:r};let s=n.find(e=>/\bis (?:alive|valid)\b/i.test(e));return void 0!==s&&"0"===e.first("verify_code")?{kind:"accepted",detail:s}:{kind:"unknown",detail:n.findLast(e=>""!==e.trim())??"gitlab-runner verify said nothing"}}let es=[["volume","making a volume"],["container","running a container that writes to its volume"],["container_removal","removing the container"],["volume_removal","removing the volume"]];function judgeWorkload(e,t){if("127"===e.first("docker"))return{kind:"impossible",reason:"the host has no docker command"};let n=(0,J.T)(t(e.first("detail")??"")),r=e.first("registry");if(void 0!==r&&"0"!==r)return{kind:"failed",reason:explainPull(r,n)};if("0"!==e.first("image")){let e=""===n?"":`: "${n}"`;return{kind:"impossible",reason:`the host has no image to start a container from${e}`}}for(let[t,r]of es){let s=e.first(t);if("0"!==s&&(void 0!==s||"container_removal"!==t)){if(void 0===s)return{kind:"failed",reason:`the check ended before ${r}`};return{kind:"failed",reason:workload_explain({code:s,doing:r,detail:n})}}}return e.complete?{kind:"worked"}:{kind:"failed",reason:"the check did not reach its end"}}let eo=[[/no space left on device|disk quota exceeded/i,"the disk is full"],[/read-only file system/i,"the file system is read-only"],[/input\/output error/i,"the disk is broken"],[/no available (?:IPv4|network)|non-overlapping IPv4|address pools? .*(?:exhausted|subnetted)|cannot allocate memory|resource temporarily unavailable|too many open files|pids? limit|max depth exceeded|exchange full/i,"the host can make no more containers"],[/cannot connect to the docker daemon|is the docker daemon running|failed to connect to the docker api/i,"docker does not run"],[/no such image|unable to find image|manifest unknown|exec format error/i,"the image cannot be used"]];function workload_explain({code:e,doing:t,detail:n}){let r="124"===e||"137"===e?"the disk or docker hangs":eo.find(([e])=>e.test(n))?.[1],s=""===n?`exit code ${e}`:`"${n}"`;return void 0===r?`${t}: ${s}`:`${r}: ${t}: ${s}`}let ei=[...eo.slice(0,3),[/cannot connect to the docker daemon|is the docker daemon running|failed to connect to the docker api/i,"docker does not run"],[/toomanyrequests|rate limit|429/i,"the image registry limits this host"],[/pull access denied|unauthorized|authentication required|denied|403/i,"the image registry refuses this host"],[/manifest unknown|not found|invalid reference/i,"the image registry has not the image"]];function explainPull(e,t){let n="124"===e||"137"===e,r=n?void 0:ei.find(([e])=>e.test(t))?.[1],s=""===t?n?"no answer within 60s":`exit code ${e}`:`"${t}"`;return`${r??"the image registry is out of reach"}: pulling the image: ${s}`}function createRunnerHost(e){let{ssm:t,clock:n,signal:r}=e,s=createRunCommand({ssm:t,clock:n,signal:r});return{list:e=>(0,B._)(t,e),look:t=>runner_host_look(e,s,t),quit:t=>runner_host_quit(e,s,t),start:t=>start(e,s,t),kill:t=>kill(e,s,t),probeWorkload:t=>probeWorkload(e,s,t),reach:(e,t)=>reach(s,e,t),verifyToken:t=>verifyToken(e,s,t)}}async function runner_host_look({settings:e,redact:t,clock:n},r,s){let o=n.now(),i=await r.run({hostId:runner_host_checked(s),script:lookScript(e),comment:"hosted-runner: look at the runner",executionSeconds:60,effect:"read"});if("ended"!==i.kind)return{kind:"silent",reason:i.reason};let a=parseHostOutput(i.output);return(a.first("jobs_code")??a.first("workers_code"))===void 0?{kind:"silent",reason:`the look at the host broke off: ${lastWords(i,t)}`}:readReport(a,t,{from:o,to:n.now()})}async function runner_host_quit({settings:e,redact:t},n,r){return judgeQuit(reached(await n.run({hostId:runner_host_checked(r),script:quitScript(e),comment:"hosted-runner: disable the restart, end the idle runner",executionSeconds:90,effect:"write"}),{what:"quit",hostId:r}),t)}async function start({settings:e,redact:t},n,r){return judgeStart(reached(await n.run({hostId:runner_host_checked(r),script:startScript(e),comment:"hosted-runner: enable the restart, start the runner",executionSeconds:150,effect:"write"}),{what:"start",hostId:r}),t)}async function kill({settings:e,redact:t},n,r){let s=judgeStop(reached(await n.run({hostId:runner_host_checked(r),script:killScript(e),comment:"hosted-runner: disable the restart, send SIGTERM",executionSeconds:3900,effect:"write"}),{what:"SIGTERM",hostId:r}),t);if("refused"===s.kind)throw runner_host_failure({kind:"refused",what:"SIGTERM",hostId:r,detail:s.reason})}async function probeWorkload({settings:e,random:t,redact:n,workloadImage:r},s,o){let i=await s.run({hostId:runner_host_checked(o),script:probeScript(e,{id:t.id(),image:r}),comment:"hosted-runner: health-check volume and container",executionSeconds:240,effect:"write"});if("lost"===i.kind)return{kind:"failed",reason:i.reason};let a=judgeWorkload(parseHostOutput(reached(i,{what:"probe",hostId:o})),n);if("impossible"!==a.kind)return a;throw runner_host_failure({kind:"refused",what:"probe",hostId:o,detail:a.reason})}async function reach(e,t,n){let r=parseHostOutput(reached(await e.run({hostId:runner_host_checked(t),script:reachScript(n),comment:"hosted-runner: what the host reaches",executionSeconds:30,effect:"read"}),{what:"reach",hostId:t}));if(r.complete)return judgeReachability(r,n);throw runner_host_failure({kind:"refused",what:"reach",hostId:t,detail:"the look at the host broke off"})}async function verifyToken({settings:e,redact:t},n,r){if("actions_runner"===e.process.kind)return{kind:"unknown",detail:"GitHub's runner has no command that asks"};let s=await n.run({hostId:runner_host_checked(r),script:verifyScript(e),comment:"hosted-runner: gitlab-runner verify",executionSeconds:60,effect:"read"});return"ended"!==s.kind?{kind:"unknown",detail:s.reason}:judgeVerification(parseHostOutput(s.output),t)}function reached(e,{what:t,hostId:n}){if("ended"===e.kind)return e.output;throw new r.Yd({kind:"unreachable",effect:"lost"===e.kind?"unknown":"none",source:`Run Command ${t} ${n}`,detail:e.reason})}function runner_host_failure({kind:e,what:t,hostId:n,detail:s}){return new r.Yd({kind:e,effect:"none",source:`Run Command ${t} ${n}`,detail:s})}function lastWords({exitCode:e,errors:t},n){let r=t.trim().split("\n").at(-1)??"";return""===r?`exit code ${e}`:`exit code ${e}, "${(0,J.T)(n(r))}"`}function runner_host_checked(e){if((0,B.i)(e))return e;throw runner_host_failure({kind:"refused",what:"any script",hostId:JSON.stringify(e.slice(0,40)),detail:"this is not the id of an instance"})}},23380:(e,t,n)=>{n.d(t,{n:()=>readPages});async function*readPages(e){let{service:t,what:n,answers:r=[],call:s}=e,o={};for(let e=1;e<=200;e+=1){let e=await t.ask({what:n,effect:"read",call:(e,t)=>s(e,o,t),answers:r});if("refusal"===e.kind)return;yield e.value;let i=e.value.NextToken;if(void 0===i||""===i)return;o={NextToken:i}}throw t.unexpected({what:n,detail:"more than 200 pages",effect:"read"})}},17428:(e,t,n)=>{n.r(t),n.d(t,{createSsm:()=>createSsm,unexpectedAnswer:()=>unexpectedAnswer});var r=n(55768),s=n(783);function createSsm(e){return(0,s.bO)("SSM",e,async()=>{let t=(0,s.s1)(e),o=new(await Promise.all([n.e(2085),n.e(3422),n.e(7288),n.e(5152),n.e(5861),n.e(4736)]).then(n.t.bind(n,34736,19))).SSM(t);return(0,r.v)(o),o})}function unexpectedAnswer(e){return(0,s.os)("SSM",e)}},75549:(e,t,n)=>{n.d(t,{T:()=>oneLine,k:()=>wholeLine});var r=n(13839);function oneLine(e){return(0,r.g)(e,300)}function wholeLine(e,t){return t((0,r.g)(t(e),2e3))}}};
