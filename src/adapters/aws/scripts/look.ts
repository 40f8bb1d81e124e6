import type { HostSettings } from '../../../domain/settings.ts';
import { lookAtActionsRunner } from './actions-runner.ts';
import { logLines, script } from './parts.ts';
import { unitName } from './unit.ts';
import { callWrapper, wrapperAddress } from './wrapper.ts';

/** Looks and changes nothing. Prints `key=value` lines, the log last, because output is cut at its end. */
export function lookScript({ process, listenPort, wrapper }: HostSettings): string {
  const port = String(listenPort);
  if (process.kind === 'actions_runner') return lookAtActionsRunner(process);
  const isDocker = process.kind === 'docker';
  return script({
    values: { name: isDocker ? process.container : unitName(process.unit), port },
    ...(wrapper === undefined ? {} : { addresses: wrapperAddress(wrapper) }),
    body: [
      endpoints,
      wrapper === undefined ? noWrapper : checkWrapper,
      'say clock "$(date +%s)"',
      logLines,
      isDocker ? docker : systemd,
    ].join('\n'),
  });
}

const noWrapper = 'wrapper() { :; }';

const checkWrapper = `
${callWrapper}
wrapper() { call_wrapper CheckStatus | lines wrapper; }
`.trim();

// Headers are asked for too: X-List-Version proves that it is the runner who has no job, and not
// another server on that port with an empty page.
const endpoints = String.raw`
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
`.trim();

const docker = String.raw`
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
`.trim();

const systemd = String.raw`
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
`.trim();
