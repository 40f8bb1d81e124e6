export const id=7520;export const ids=[7520,1963];export const modules={1448:(e,t,n)=>{n.d(t,{s1:()=>clientOptions,bO:()=>createAsked,os:()=>unexpected});var r=n(8405),o=n(1843);function toPortFailure(e,t){let n=factsOf(e),{kind:i,sent:s}=judge(n);return new r.Y({kind:i,effect:"write"===t.effect&&"maybe"===s?"unknown":"none",source:t.source,detail:(0,o.T)(t.redact(describe(n))),status:n.status})}function judge(e){let{name:t,message:n,code:r,status:o}=e;return"Region is missing"===n?{kind:"refused",sent:"never"}:/^(?:Credentials|Token)?ProviderError$/.test(t)?{kind:"unauthenticated",sent:"never"}:void 0===o?judgeSilence(t,r,n):i.test(t)||429===o?{kind:"throttled",sent:"never"}:o>=500?{kind:"unavailable",sent:"maybe"}:o<400||!e.typed?{kind:"unexpected",sent:"maybe"}:s.test(t)||401===o?{kind:"unauthenticated",sent:"never"}:a.test(t)||403===o?{kind:"denied",sent:"never"}:{kind:"refused",sent:"never"}}function judgeSilence(e,t,n){return/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(t??"")||"TimeoutError"===e&&/did not establish a connection/.test(n)?{kind:"unreachable",sent:"never"}:"TimeoutError"===e||"AbortError"===e||void 0!==t?{kind:"unreachable",sent:"maybe"}:{kind:"unexpected",sent:"maybe"}}let i=/^(?:Throttl(?:ing|ed)(?:Exception)?|RequestThrottled(?:Exception)?|TooManyRequestsException|RequestLimitExceeded|SlowDown|BandwidthLimitExceeded)$/,s=/^(?:ExpiredToken(?:Exception)?|UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch|IncompleteSignature(?:Exception)?|MissingAuthenticationToken(?:Exception)?|TokenRefreshRequired|RequestExpired|AuthFailure|InvalidIdentityToken(?:Exception)?)$/,a=/^(?:AccessDenied(?:Exception)?|UnauthorizedOperation|UnauthorizedAccess|NotAuthorized|OptInRequired|KMSAccessDeniedException)$/;function factsOf(e){if("object"!=typeof e||null===e)return{name:"",message:String(e),code:void 0,status:void 0,typed:!1};let t=e.$metadata?.httpStatusCode??e.$response?.statusCode,{name:n,message:r}=unwrap("string"==typeof e.name?e.name:"","string"==typeof e.message?e.message:"");return{name:n,message:r,code:"string"==typeof e.code?e.code:/\bE[A-Z_]{4,}\b/.exec(r)?.[0],status:"number"==typeof t?t:void 0,typed:void 0!==e.$fault&&"Error"!==n&&"UnknownError"!==n}}function unwrap(e,t){let[,n,r]=/^AWS SDK error wrapper for (\w+): (.*)$/s.exec(t)??[];return void 0===n||void 0===r?{name:e,message:t}:{name:n,message:r}}function describe({name:e,message:t,code:n,status:r,typed:o}){if("Region is missing"===t)return"no AWS region is configured; set AWS_REGION";if(void 0!==r&&!o)return`HTTP ${r} with a body that cannot be read`;let i=t.replace(/^@smithy\/node-http-handler - (?:\[ERROR\] )?/,""),s="Error"===e||"TimeoutError"===e?n??"":e;return""===s||i.includes(s)?i||s:""===i||"UnknownError"===i?s:`${s}: ${i}`}async function retrying(e){let{attempt:t,clock:n,random:o,budgetMs:i,signal:s}=e,a=n.elapsed();for(let e=0;;e+=1){s?.throwIfAborted();try{return await t()}catch(d){if(s?.throwIfAborted(),!(0,r.o)(d)||!passes(d))throw d;let t=chooseRetryPause({failure:d,round:e,fraction:o.fraction()});if(n.elapsed()-a+t>i)throw d;await n.sleep(t,s)}}}function passes({kind:e,effect:t}){return"none"===t&&("throttled"===e||"unavailable"===e||"unreachable"===e)}function chooseRetryPause({failure:e,round:t,fraction:n}){return Math.round(Math.min(8e3,("throttled"===e.kind?500:200)*2**t)*(.5+n/2))}function createAsked(e,t,n){let o,{clock:i,random:s,redact:a,signal:d,retryBudgetMs:u=3e4}=t;async function attempt(t){let r=`${e} ${t.what}`,i="read"===t.effect&&void 0!==d;o??=n();let s=await o;try{let e=await t.call(s,i?{abortSignal:d}:{});return{kind:"answer",value:e}}catch(n){let e=findAnswer(n,t.answers??[]);if(void 0!==e)return e;throw toPortFailure(n,{source:r,effect:t.effect,redact:a})}}return{ask:e=>retrying({attempt:()=>attempt(e),clock:i,random:s,signal:d,budgetMs:u}),unexpected:t=>unexpected(e,t),refused:(t,n)=>new r.Y({kind:"refused",effect:"none",source:`${e} ${t}`,detail:n}),close(){o?.then(e=>e.destroy()).catch(()=>void 0)}}}function unexpected(e,{what:t,detail:n,effect:o}){return new r.Y({kind:"unexpected",effect:"write"===o?"unknown":"none",source:`${e} ${t}`,detail:n})}function clientOptions(e){return e.environment.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED??="true",{...e.configuration,maxAttempts:1,requestHandler:{requestTimeout:e.requestTimeoutMs??1e4,connectionTimeout:e.connectionTimeoutMs??5e3,throwOnRequestTimeout:!0}}}function findAnswer(e,t){let n=e?.name;if(void 0!==n&&t.includes(n))return{kind:"refusal",name:n,message:e.message}}},813:(e,t,n)=>{n.d(t,{_:()=>listHosts,i:()=>isHostId});var r=n(9641),o=n(3242),i=n(1963);async function listHosts(e,t){let n=(0,r.Zw)(t),i=`DescribeInstanceInformation tag:Name=${n}`,s=new Map;for await(let t of(0,o.n)({service:e,what:i,call:(e,t,r)=>e.describeInstanceInformation({Filters:[{Key:"tag:Name",Values:[n]}],MaxResults:50,...t},r)})){if(void 0===t.InstanceInformationList)throw refuse(i,"no InstanceInformationList");for(let e of t.InstanceInformationList){let t=validHost(i,e);s.set(t.id,t)}}return[...s.values()]}let s=/^(?:i-[0-9a-f]{8,17}|mi-[0-9a-f]{17})$/;function isHostId(e){return s.test(e)}function validHost(e,t){let{InstanceId:n,PingStatus:r,LastPingDateTime:o}=t;if(void 0===n||!isHostId(n))throw refuse(e,"no InstanceId in an entry");return{id:n,agent:"Online"===r?"online":"lost",...o instanceof Date&&!Number.isNaN(o.getTime())?{lastPingAt:o.toISOString()}:{}}}function refuse(e,t){return(0,i.unexpectedAnswer)({what:e,detail:`the answer has ${t}`,effect:"read"})}},3242:(e,t,n)=>{n.d(t,{n:()=>readPages});async function*readPages(e){let{service:t,what:n,answers:r=[],call:o}=e,i={};for(let e=1;e<=200;e+=1){let e=await t.ask({what:n,effect:"read",call:(e,t)=>o(e,i,t),answers:r});if("refusal"===e.kind)return;yield e.value;let s=e.value.NextToken;if(void 0===s||""===s)return;i={NextToken:s}}throw t.unexpected({what:n,detail:"more than 200 pages",effect:"read"})}},7520:(e,t,n)=>{n.d(t,{createRunnerHost:()=>createRunnerHost});var r=n(8405);function parseHostOutput(e){let t=new Map;for(let n of e.split("\n")){let[,e,r]=/^([a-z_]+)=(.*)$/.exec(n)??[];if(void 0===e||void 0===r)continue;let o=t.get(e);void 0===o?t.set(e,[r]):o.push(r)}return{first:e=>t.get(e)?.[0],all:e=>t.get(e)??[],complete:t.has("end")}}function wholeNumber(e){return void 0!==e&&/^\d{1,9}$/.test(e)?Number(e):void 0}var o=n(813);function readHttpAnswer(e,t){let n=wholeNumber(e.first(`${t}_lines`));if("0"!==e.first(`${t}_code`)||void 0===n)return;let r=e.all(t),o=Number(/^HTTP\/[\d.]+ (\d{3})\b/.exec(r[0]??"")?.[1]),i=r.indexOf("");if(Number.isNaN(o)||i<1)return;let s=r.slice(i+1),a=Math.max(0,n-r.length),d=s.filter(e=>""!==e.trim());return{status:o,headers:new Map(r.slice(1,i).map(splitHeader)),lines:d,lineCount:d.length+a}}function splitHeader(e){let t=e.indexOf(":");return t<0?[e.toLowerCase(),""]:[e.slice(0,t).toLowerCase(),e.slice(t+1).trim()]}let i={process:"unknown",restarts:!0};function readProcess(e){return void 0!==e.first("inspect_code")?readContainer(e):void 0!==e.first("show_code")?readUnit(e):i}let s={created:"stopped",restarting:"starting",running:"running",exited:"stopped",dead:"stopped"};function readContainer(e){let t=e.first("inspect")??"";if("0"!==e.first("inspect_code"))return/No such (?:object|container)\b/i.test(t)?{process:"absent",restarts:!1}:i;let[n="",r]=t.trim().split(" ");return{process:s[n]??"unknown",restarts:"no"!==r}}let a={active:"running",reloading:"running",activating:"starting",deactivating:"quitting",inactive:"stopped",failed:"stopped"};function readUnit(e){if("0"!==e.first("show_code"))return i;let t=new Map(e.all("unit").map(e=>{let t=e.indexOf("=");return[e.slice(0,t),e.slice(t+1)]}));return"not-found"===t.get("LoadState")?{process:"absent",restarts:!1}:{process:a[t.get("ActiveState")??""]??"unknown",restarts:"no"!==t.get("Restart")}}var d=n(1843);function readReport(e,t){let{process:n,restarts:r}=readProcess(e),o=readSystemId(e),i=readVersion(e);return{kind:"report",process:refine(n,e),restarts:r,jobs:readJobs(e),ready:readReady(e),...void 0===o?{}:{systemId:o},...void 0===i?{}:{version:i},log:e.all("log").map(e=>(0,d.T)(t(e)))}}function refine(e,t){if("running"!==e)return e;let n=readHttpAnswer(t,"state");if(n?.status!==200)return e;switch(n.lines[0]?.trim()){case"starting":return"starting";case"graceful-shutdown":case"forceful-shutdown":return"quitting";default:return"running"}}function readJobs(e){let t=readHttpAnswer(e,"jobs");if(t?.status!==200||!t.headers.has("x-list-version"))return;let n=t.lineCount-t.lines.length;return[...t.lines.map(e=>(0,d.T)(e)),...Array.from({length:n},()=>"a job that the host did not print")]}function readReady(e){let t=readHttpAnswer(e,"ready");return void 0===t||404===t.status?"not_offered":200===t.status?"ready":"not_ready"}let u=/^[sr]_[0-9a-zA-Z]{12}$/;function readSystemId(e){let t=e.all("metric").flatMap(e=>/system_id="([^"]*)"/.exec(e)?.[1]??[]);return[...e.all("system_id").map(e=>e.trim()),...t].find(e=>u.test(e))}function readVersion(e){let t=e.all("metric").filter(e=>e.startsWith("gitlab_runner_version_info")).flatMap(e=>/[{,]version="([^"]*)"/.exec(e)?.[1]??[]);return[...e.all("version").map(e=>e.trim()),...t].find(e=>/^[0-9A-Za-z][0-9A-Za-z.+~-]{0,50}$/.test(e))}function judgeInvocation(e,t){if(void 0===e)return{kind:"waiting",reason:"Run Command has shown no invocation of the command"};let{Status:n,StatusDetails:r=""}=e;switch(r.replaceAll(" ","").toLowerCase()){case"deliverytimedout":return undelivered("its agent did not fetch the command within 30s");case"undeliverable":return undelivered("Run Command could not deliver the command to its agent");case"executiontimedout":return hung(t);case"terminated":return undelivered("Run Command gave the command up because of other failures")}switch(n){case"Success":case"Failed":return ended(e);case"Pending":case"Delayed":return{kind:"waiting",reason:`its agent has not begun the command (${n})`};case"InProgress":case"Cancelling":return{kind:"waiting",reason:`the command did not end on the host (${n})`};case"TimedOut":return hung(t);case"Cancelled":return{kind:"lost",reason:"somebody cancelled the command"};default:return{kind:"unknown",reason:`the answer has the Status ${JSON.stringify(n)}`}}}function ended(e){let{ResponseCode:t,StandardOutputContent:n}=e;return"number"!=typeof t||"string"!=typeof n?{kind:"unknown",reason:"the answer has no ResponseCode or no StandardOutputContent"}:{kind:"ended",exitCode:t,output:n,errors:e.StandardErrorContent??""}}function undelivered(e){return{kind:"undelivered",reason:e}}function hung(e){return{kind:"lost",reason:`the command began and did not end within ${e}s: the host's disk or docker hangs`}}var c=n(1963);function createRunCommand({ssm:e,clock:t,signal:n}){return{async run(r){let o=await send(e,r);return"undelivered"===o.kind?o:follow({ssm:e,clock:t,signal:n,order:r,commandId:o.commandId})}}}async function send(e,{hostId:t,script:n,comment:r,executionSeconds:o,effect:i}){let s=`SendCommand ${t}`,a=await e.ask({what:s,effect:i,call:e=>e.sendCommand({DocumentName:"AWS-RunShellScript",InstanceIds:[t],TimeoutSeconds:30,Comment:r.slice(0,100),Parameters:{commands:n.split("\n"),executionTimeout:[String(o)]}}),answers:["InvalidInstanceId"]});if("refusal"===a.kind)return{kind:"undelivered",reason:`Systems Manager does not know ${t} as a host that can be asked (InvalidInstanceId): its agent is not registered, it is stopped or terminated, or the role may not send it commands`};let d=a.value.Command?.CommandId;if(void 0!==d&&/^[0-9a-f-]{36}$/.test(d))return{kind:"sent",commandId:d};throw(0,c.unexpectedAnswer)({what:s,detail:"the answer has no CommandId",effect:i})}async function follow({ssm:e,clock:t,signal:n,order:r,commandId:o}){let i=30+r.executionSeconds+15,s=t.elapsed(),a=250;for(;;){await t.sleep(a,n),a=Math.min(2e3,1.6*a);let d=judgeInvocation(await findInvocation(e,r,o),r.executionSeconds);if("unknown"===d.kind)throw(0,c.unexpectedAnswer)({what:`GetCommandInvocation ${r.hostId}`,detail:d.reason,effect:r.effect});if("waiting"!==d.kind)return d;if(t.elapsed()-s>=1e3*i)return{kind:"lost",reason:`${d.reason} for ${i}s`}}}async function findInvocation(e,{hostId:t,effect:n},o){let i=`GetCommandInvocation ${t}`;try{let n=await e.ask({what:i,effect:"read",call:(e,n)=>e.getCommandInvocation({CommandId:o,InstanceId:t},n),answers:["InvocationDoesNotExist"]});return"refusal"===n.kind?void 0:n.value}catch(e){if(!(e instanceof r.Y)||"read"===n)throw e;throw new r.Y({...e,effect:"unknown"})}}function script({values:e,body:t}){return[...Object.entries(e).map(([e,t])=>`${e}='${checked(t)}'`),f,t,"say end 1"].join("\n")}let l=/^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,254}$/;function checked(e){if(l.test(e))return e;throw Error(`${JSON.stringify(e)} cannot be a name on a host.`)}let f=String.raw`
export LC_ALL=C
open='{''{'
close='}''}'
say() { printf '%s=%s\n' "$1" "$2"; }
lines() { sed "s/^/$1=/"; }
brief() { tr '\n\r' '  ' | cut -c1-300; }
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim(),p=`
status() { bounded 10 docker inspect --type container --format "$open.State.Status$close" "$name" 2>&1; }
`.trim(),m=`
property() { bounded 10 systemctl show --property="$1" "$name" | sed -n "s/^$1=//p"; }
`.trim(),h=String.raw`
stay_down() {
  folder=$MACHINE_ROOT/run/systemd/system/$name.d
  mkdir -p "$folder" &&
    printf '[Service]\nRestart=no\n' >"$folder/hosted-runner.conf" &&
    bounded 20 systemctl daemon-reload || return 1
  bounded 20 systemctl disable "$name" >/dev/null 2>&1
  [ "$(property Restart)" = no ]
}
`.trim();function unitName(e){return e.endsWith(".service")?e:`${e}.service`}function killScript({process:e}){return"docker"===e.kind?script({values:{name:e.container},body:`${p}
${$}`}):script({values:{name:unitName(e.unit)},body:`${m}
${h}
${k}`})}let $=`
stopped() { case $(status) in exited | dead | created) return 0 ;; *) return 1 ;; esac; }
terminate() {
  found=$(status) || { say detail "$(printf '%s' "$found" | brief)"; say result unknown_container; return; }
  bounded 10 docker update --restart=no "$name" >/dev/null 2>&1 || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  bounded 10 docker kill --signal=TERM "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 20 docker kill --signal=KILL "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim(),k=`
stopped() { [ "$(property MainPID)" = 0 ]; }
terminate() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  stay_down || { say result restart_stays; return; }
  stopped && { say result stopped; return; }
  bounded 10 systemctl kill --signal=SIGTERM --kill-who=main "$name" >/dev/null 2>&1
  tries=0
  until stopped || [ $tries -ge 45 ]; do sleep 1; tries=$((tries + 1)); done
  stopped || bounded 10 systemctl kill --signal=SIGKILL --kill-who=all "$name" >/dev/null 2>&1
  stopped && say result stopped || say result still_running
}
terminate
`.trim();function lookScript({process:e,listenPort:t}){let n=String(t);return"docker"===e.kind?script({values:{name:e.container,port:n},body:`${y}
${g}`}):script({values:{name:unitName(e.unit),port:n},body:`${y}
${w}`})}let y=String.raw`
fetch() {
  answer=$(bounded 8 curl --silent --noproxy '*' --max-time 5 --include "http://127.0.0.1:$port$2" 2>/dev/null)
  say "$1_code" $?
  say "$1_lines" "$(printf '%s\n' "$answer" | wc -l | tr -d ' ')"
  printf '%s\n' "$answer" | tr -d '\r' | head -n 60 | cut -c1-200 | lines "$1"
}
metrics() {
  answer=$(bounded 8 curl --silent --noproxy '*' --max-time 5 "http://127.0.0.1:$port/metrics" 2>/dev/null)
  printf '%s\n' "$answer" | grep '^gitlab_runner_version_info' | head -n 1 | cut -c1-500 | lines metric
  printf '%s\n' "$answer" | grep 'system_id="' | head -n 1 | cut -c1-500 | lines metric
}
endpoints() {
  fetch state /debug/process/state
  fetch ready /health/ready
  fetch jobs /debug/jobs/list
  metrics
}
`.trim(),g=String.raw`
if command -v docker >/dev/null 2>&1; then
  inspected=$(bounded 10 docker inspect --type container --format "$open.State.Status$close $open.HostConfig.RestartPolicy.Name$close" "$name" 2>&1)
  say inspect_code $?
  printf '%s\n' "$inspected" | brief | lines inspect
  endpoints
  bounded 10 docker exec "$name" cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | head -n 1 | cut -c1-40 | lines system_id
  bounded 10 docker exec "$name" gitlab-runner --version 2>/dev/null | sed -n 's/^Version: */version=/p' | head -n 1 | cut -c1-60
  bounded 10 docker logs --tail 40 "$name" 2>&1 | tail -n 40 | cut -c1-200 | lines log
else
  say inspect_code 127
  say inspect 'docker: command not found'
  endpoints
fi
`.trim(),w=String.raw`
shown=$(bounded 10 systemctl show --property=LoadState,ActiveState,SubState,Restart "$name" 2>&1)
say show_code $?
printf '%s\n' "$shown" | head -n 8 | cut -c1-300 | lines unit
endpoints
cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | head -n 1 | cut -c1-40 | lines system_id
bounded 10 gitlab-runner --version 2>/dev/null | sed -n 's/^Version: */version=/p' | head -n 1 | cut -c1-60
bounded 10 journalctl --unit="$name" --lines=40 --no-pager --output=cat 2>&1 | tail -n 40 | cut -c1-200 | lines log
`.trim();function probeScript({process:e},t){let n={probe:`health-check-${t}`,ttl:String(v)};return"docker"===e.kind?script({values:{...n,name:e.container},body:[b,_,I].join("\n")}):script({values:n,body:[b,S,I].join("\n")})}let v=600,b=String.raw`
mark=hosted-runner.health-check
until=hosted-runner.expires
expired() {
  case $1 in health-check-*) ;; *) return 1 ;; esac
  case $2 in '' | *[!0-9]*) return 1 ;; esac
  [ "$2" -lt "$(date +%s)" ]
}
# Containers first: docker keeps a volume that a container still uses.
collect() {
  for leftover in $(bounded 10 docker ps --all --quiet --filter name=health-check-); do
    found=$(bounded 10 docker inspect --type container --format "$open.Name$close $open index .Config.Labels \"$until\"$close" "$leftover" | tr -d /)
    expired "${"$"}{found%% *}" "${"$"}{found##* }" && bounded 20 docker rm --force "$leftover"
  done
  for leftover in $(bounded 10 docker volume ls --quiet --filter name=health-check-); do
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
`.trim(),_=`
choose_image() { bounded 10 docker inspect --type container --format "$open.Image$close" "$name" 2>&1; }
`.trim(),S=String.raw`
choose_image() {
  for reference in '*gitlab-runner-helper*' '*/*/*gitlab-runner-helper*' '*/*/*/*gitlab-runner-helper*' alpine busybox; do
    found=$(bounded 10 docker images --quiet --filter "reference=$reference" 2>/dev/null | head -n 1)
    [ -n "$found" ] && { printf '%s\n' "$found"; return; }
  done
  return 1
}
`.trim(),I=`
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
`.trim();function quitScript({process:e}){return"docker"===e.kind?script({values:{name:e.container},body:`${p}
${x}`}):script({values:{name:unitName(e.unit)},body:`${m}
${h}
${R}`})}let x=`
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
  told=$(bounded 10 docker kill --signal=QUIT "$name" 2>&1) && { say result sent; return; }
  found=$(status)
  case $found in
    exited | dead) say result already_stopped ;;
    *) say detail "$(printf '%s' "$told" | brief)"; say result signal_failed ;;
  esac
}
if command -v docker >/dev/null 2>&1; then quit; else say result no_docker; fi
`.trim(),R=`
quit() {
  [ "$(property LoadState)" = not-found ] && { say result unknown_unit; return; }
  [ -n "$(property ActiveState)" ] || { say result no_systemd; return; }
  stay_down || { say result restart_stays; return; }
  if [ "$(property MainPID)" = 0 ]; then
    # Between two starts there is no process that a stop could interrupt.
    [ "$(property ActiveState)" = activating ] && bounded 20 systemctl stop "$name" >/dev/null 2>&1
    [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  fi
  told=$(bounded 10 systemctl kill --signal=SIGQUIT --kill-who=main "$name" 2>&1) && { say result sent; return; }
  [ "$(property MainPID)" = 0 ] && { say result already_stopped; return; }
  say detail "$(printf '%s' "$told" | brief)"
  say result signal_failed
}
quit
`.trim(),A={unknown_container:"docker does not know the container",unknown_unit:"systemd does not know the unit",no_docker:"the host has no docker command",no_systemd:"the host has no systemd",restart_stays:"the restart could not be disabled, so that nothing was stopped",wrong_state:"the container cannot take a signal now",signal_failed:"the signal could not be sent",still_running:"the process did not end after SIGTERM and SIGKILL"};function judgeStop(e,t){let n=parseHostOutput(e),r=n.first("result");if("sent"===r&&n.complete)return{kind:"sent"};if(("already_stopped"===r||"stopped"===r)&&n.complete)return{kind:"already_stopped"};let o=(0,d.T)(t(n.first("detail")??"")),i=A[r??""]??"the script did not say what it did";return{kind:"refused",reason:""===o?i:`${i}: "${o}"`}}let E=[["volume","making a volume"],["container","running a container that writes to its volume"],["container_removal","removing the container"],["volume_removal","removing the volume"]];function judgeWorkload(e){if("127"===e.first("docker"))return{kind:"impossible",reason:"the host has no docker command"};let t=(0,d.T)(e.first("detail")??"");if("0"!==e.first("image")){let e=""===t?"":`: "${t}"`;return{kind:"impossible",reason:`the host has no image to start a container from${e}`}}for(let[n,r]of E){let o=e.first(n);if("0"!==o&&(void 0!==o||"container_removal"!==n)){if(void 0===o)return{kind:"failed",reason:`the check ended before ${r}`};return{kind:"failed",reason:explain({code:o,doing:r,detail:t})}}}return e.complete?{kind:"worked"}:{kind:"failed",reason:"the check did not reach its end"}}let T=[[/no space left on device|disk quota exceeded/i,"the disk is full"],[/read-only file system/i,"the file system is read-only"],[/input\/output error/i,"the disk is broken"],[/cannot connect to the docker daemon|is the docker daemon running/i,"docker does not run"],[/no such image|unable to find image|manifest unknown|exec format error/i,"the image cannot be used"]];function explain({code:e,doing:t,detail:n}){let r="124"===e||"137"===e?"the disk or docker hangs":T.find(([e])=>e.test(n))?.[1],o=""===n?`exit code ${e}`:`"${n}"`;return void 0===r?`${t}: ${o}`:`${r}: ${t}: ${o}`}function createRunnerHost(e){let{ssm:t,clock:n,signal:r}=e,i=createRunCommand({ssm:t,clock:n,signal:r});return{list:e=>(0,o._)(t,e),look:t=>look(e,i,t),quit:t=>quit(e,i,t),kill:t=>kill(e,i,t),probeWorkload:t=>probeWorkload(e,i,t)}}async function look({settings:e,redact:t},n,r){let o=await n.run({hostId:runner_host_checked(r),script:lookScript(e),comment:"hosted-runner: look at the runner",executionSeconds:60,effect:"read"});if("ended"!==o.kind)return{kind:"silent",reason:o.reason};let i=parseHostOutput(o.output);return void 0===i.first("jobs_code")?{kind:"silent",reason:`the look at the host broke off: ${lastWords(o)}`}:readReport(i,t)}async function quit({settings:e,redact:t},n,r){return judgeStop(reached(await n.run({hostId:runner_host_checked(r),script:quitScript(e),comment:"hosted-runner: disable the restart, send SIGQUIT",executionSeconds:90,effect:"write"}),{what:"SIGQUIT",hostId:r}),t)}async function kill({settings:e,redact:t},n,r){let o=judgeStop(reached(await n.run({hostId:runner_host_checked(r),script:killScript(e),comment:"hosted-runner: disable the restart, send SIGTERM",executionSeconds:150,effect:"write"}),{what:"SIGTERM",hostId:r}),t);if("refused"===o.kind)throw runner_host_failure({kind:"refused",what:"SIGTERM",hostId:r,detail:o.reason})}async function probeWorkload({settings:e,random:t},n,r){let o=await n.run({hostId:runner_host_checked(r),script:probeScript(e,t.id()),comment:"hosted-runner: health-check volume and container",executionSeconds:150,effect:"write"});if("lost"===o.kind)return{kind:"failed",reason:o.reason};let i=judgeWorkload(parseHostOutput(reached(o,{what:"probe",hostId:r})));if("impossible"!==i.kind)return i;throw runner_host_failure({kind:"refused",what:"probe",hostId:r,detail:i.reason})}function reached(e,{what:t,hostId:n}){if("ended"===e.kind)return e.output;throw new r.Y({kind:"unreachable",effect:"lost"===e.kind?"unknown":"none",source:`Run Command ${t} ${n}`,detail:e.reason})}function runner_host_failure({kind:e,what:t,hostId:n,detail:o}){return new r.Y({kind:e,effect:"none",source:`Run Command ${t} ${n}`,detail:o})}function lastWords({exitCode:e,errors:t}){let n=t.trim().split("\n").at(-1)??"";return""===n?`exit code ${e}`:`exit code ${e}, "${n.slice(0,200)}"`}function runner_host_checked(e){if((0,o.i)(e))return e;throw runner_host_failure({kind:"refused",what:"any script",hostId:JSON.stringify(e.slice(0,40)),detail:"this is not the id of an instance"})}},1963:(e,t,n)=>{n.r(t),n.d(t,{createSsm:()=>createSsm,unexpectedAnswer:()=>unexpectedAnswer});var r=n(1448);function createSsm(e){return(0,r.bO)("SSM",e,async()=>{let t=(0,r.s1)(e);return new(await Promise.all([n.e(2085),n.e(3422),n.e(7288),n.e(5152),n.e(5861),n.e(4736)]).then(n.t.bind(n,4736,19))).SSM(t)})}function unexpectedAnswer(e){return(0,r.os)("SSM",e)}},1843:(e,t,n)=>{n.d(t,{T:()=>oneLine});var r=n(3999);function oneLine(e){return(0,r.g)(e,300)}}};
