import type { HostSettings } from '../../../domain/settings.ts';
import { checkActionsRunner } from './actions-runner-script.ts';
import { untilEndpointIdle } from './idle-wait-script.ts';
import {
  marks,
  readContainerLog,
  readJournal,
  reportCheck,
  script,
  unitName,
} from './script-parts.ts';
import { showOwnUnit } from './unit-script.ts';
import { callWrapper, wrapperAddress } from './wrapper-script.ts';

/**
 * Checks a host without an effect and prints `key=value` lines. The log comes last, because Systems
 * Manager cuts the end of the output. The script first waits until the runner is idle, for at most
 * the given seconds. Without a number it reads the variable `wait`, which the check document sets.
 */
export function hostCheckScript(
  { process, listenPort, wrapper }: HostSettings,
  waitSeconds?: number,
): string {
  const port = String(listenPort);
  const wait = waitSeconds === undefined ? {} : { wait: String(waitSeconds) };
  if (process.kind === 'actions_runner') return checkActionsRunner(process, wait);
  const isDocker = process.kind === 'docker';
  return script({
    values: { name: isDocker ? process.container : unitName(process.unit), port, ...wait },
    ...(wrapper === undefined ? {} : { addresses: wrapperAddress(wrapper) }),
    body: [
      endpoints,
      wrapper === undefined ? noWrapper : checkWrapper,
      marks,
      untilEndpointIdle,
      'until_idle',
      isDocker ? docker : systemd,
    ].join('\n'),
  });
}

const noWrapper = 'wrapper() { :; }';

const checkWrapper = `
${callWrapper}
wrapper() {
  call_wrapper CheckStatus
  mark wrapper $?
}
`.trim();

/**
 * Defines `endpoints`: one curl queries the runner's four endpoints in a row, each for at most five
 * seconds. The headers are printed too. X-List-Version proves that the empty list comes from the
 * runner, and not from another server on that port.
 */
const endpoints = String.raw`
endpoints() {
  set -- "http://127.0.0.1:$port"
  curl --silent --noproxy '*' --max-time 5 --include --write-out "\n$mark http %{http_code}/%{exitcode}/%{size_download}\n" \
    "$1/debug/process/state" "$1/health/ready" "$1/metrics" "$1/debug/jobs/list" 2>/dev/null
  mark curl $?
  wrapper
}
`.trim();

/** The unit is read after the container, to include what it started meanwhile. */
const docker = String.raw`
unit() {
  command -v systemctl >/dev/null 2>&1 || return
  timeout -k 2 10 ${showOwnUnit} 2>/dev/null
  set -- $?
  [ "$1" = 0 ] || [ ! -d "$MACHINE_ROOT/run/systemd/system" ] || set -- 2
  mark unit "$1"
}
read_host() {
  date +%s
  mark clock 0
  if ! command -v docker >/dev/null 2>&1; then
    echo 'docker: command not found'
    mark inspect 127
    endpoints
    return
  fi
  timeout -k 2 10 docker inspect --type container --format "$open.State.Status$close $open.HostConfig.RestartPolicy.Name$close $open if .State.Health $close$open.State.Health.Status$close$open end $close" "$name" 2>&1
  mark inspect $?
  unit
  endpoints
  timeout -k 2 10 docker exec "$name" sh -c '
cat /etc/gitlab-runner/.runner_system_id
printf "\n%s system_id 0\n" "$0"
cat /etc/gitlab-runner/config.toml
printf "\n%s config 0\n" "$0"
exec gitlab-runner --version' "$mark" 2>/dev/null
  mark version $?
  ${readContainerLog}
}
${reportCheck('read_host')}
`.trim();

const systemd = `
read_host() {
  date +%s
  mark clock 0
  timeout -k 2 10 systemctl show --property=LoadState,ActiveState,SubState,Restart,Job "$name" 2>&1
  mark show $?
  endpoints
  cat /etc/gitlab-runner/.runner_system_id 2>/dev/null
  mark system_id $?
  cat /etc/gitlab-runner/config.toml 2>/dev/null
  mark config $?
  timeout -k 2 10 gitlab-runner --version 2>/dev/null
  mark version $?
  ${readJournal}
}
${reportCheck('read_host')}
`.trim();
