import type { HostSettings } from '../../../domain/settings.ts';
import { lookAtActionsRunner } from './actions-runner.ts';
import { ownUnit } from './own-unit.ts';
import { logLines, readContainerLog, readJournal, script, unitName } from './parts.ts';
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
  {
    first 40 160 "$1"
    if [ "$left" -gt 0 ]; then say "$1_lines" $((40 - left)); else say "$1_lines" $((40 + $(wc -l))); fi
  } <<END
$answer
END
}
# Every runner tells states of machines, all 0 where it has no docker-machine: that is no autoscaler.
# Each series has the short token of its runner. Where there are several, the configuration says whose that is.
# One that has never asked has no series of requests; the limit is told of each that is configured.
# From 19.2 on every runner exports series of the job router; only a counted request means that it is used.
metrics() {
  counted=$(bounded 8 curl --silent --noproxy '*' --fail --max-time 5 "http://127.0.0.1:$port/metrics" 2>/dev/null | awk '
    function runner(label) {
      if (!sub(/.*[{,]runner="/, "", label) || !sub(/".*/, "", label) || label ~ /[^0-9A-Za-z_-]/) return ""
      if (!(label in known)) {
        known[label]
        labels = labels " " label
        several++
      }
      return label
    }
    /^gitlab_runner_limit[{]/ && limits++ < 40 {
      if ((short = runner($0)) != "") configured = configured "configured=" short "\n"
    }
    /^gitlab_runner_version_info/ && !versions++ { version = "metric=" substr($0, 1, 500) "\n" }
    /system_id="/ && !systems++ { system_id = "metric=" substr($0, 1, 500) "\n" }
    /^gitlab_runner_job_router_get_job_duration_seconds_count/ && $NF > 0 && routers++ < 40 {
      counts = counts "requests=" substr($0, 1, 400) "\n"
      runner($0)
    }
    /^(gitlab_runner_concurrent |gitlab_runner_api_request_statuses_total[{].*endpoint="request_job")/ && requests++ < 40 {
      counts = counts "requests=" substr($0, 1, 400) "\n"
      runner($0)
    }
    /^fleeting_taskscaler_tasks[{].*state="[a-z]+"/ {
      state = $0
      sub(/.*[{,]state="/, "", state)
      sub(/".*/, "", state)
      if (length(state) < 20 && $NF ~ /^[0-9][0-9.e+]*$/) tasks[state] += $NF
      else unread = 1
    }
    /^gitlab_runner_autoscaling_machine_states[{]/ { machines += $NF }
    /^(fleeting_taskscaler_tasks|gitlab_runner_autoscaling_machine_states)[{].*state="idle"/ && idles++ < 40 {
      slots = /^fleeting/
      sub(/.*[}]/, "}")
      if (slots) idle = idle "idle=" substr($0, 1, 40) "\n"
      else idle_machines = idle_machines "idle=" substr($0, 1, 40) "\n"
    }
    END {
      if (several > 1) printf "several=%s\n", labels
      for (state in tasks) if (!unread && told++ < 12) printf "tasks=%s %d\n", state, tasks[state]
      printf "%s%s%s%s%s%s", version, system_id, configured, counts, idle, (machines > 0 ? idle_machines : "")
    }')
  printf '%s\n' "$counted"
  case $counted in several=*) ;; *) return ;; esac
  configuration 2>/dev/null | runners "$(printf '%s\n' "$counted" | head -n 1)"
}
# Of each runner its short token, where it has a series, and its id; of a token nothing else is printed.
runners() {
  awk -v several="$1" '
    function value() { text = $0; sub(/^[^=]*=[ \t]*["\047]?/, "", text); sub(/["\047 \t\r].*/, "", text); return text }
    BEGIN { count = split(substr(several, 9), label, " ") }
    /^[ \t]*\[/ { inside = /^[ \t]*\[\[runners\]\]/; if (inside) last++ }
    inside && /^[ \t]*token[ \t]*=/ { token[last] = value() }
    inside && /^[ \t]*id[ \t]*=/ { id[last] = value() }
    END {
      for (runner = 1; runner <= last && runner <= 40; runner++) {
        short = "-"
        for (one = 1; one <= count; one++)
          if (length(label[one]) > 7 && index(token[runner], label[one])) short = label[one]
        printf "runner=%s %s\n", short, (id[runner] ~ /^[0-9]+$/ ? id[runner] : "-")
      }
    }'
}
version() {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in Version:*) ;; *) continue ;; esac
    line=${'$'}{line#Version:}
    while [ "$line" != "${'$'}{line# }" ]; do line=${'$'}{line# }; done
    printf 'version=%.52s\n' "$line"
    return
  done
}
endpoints() {
  fetch state /debug/process/state
  fetch ready /health/ready
  fetch jobs /debug/jobs/list
  metrics
  wrapper
}
`.trim();

// The unit after the container: what it has started meanwhile is seen then.
const docker = String.raw`
${ownUnit}
unit() {
  own_unit
  case $? in 0) ;; 2) say unit_code 2; return ;; *) return ;; esac
  while IFS= read -r line; do
    case $line in ActiveState=* | SubState=* | Restart=* | Job=*) say unit "$line" ;; esac
  done <<END
$shown
END
}
configuration() { bounded 10 docker exec "$name" cat /etc/gitlab-runner/config.toml; }
look() {
  inspected=$(bounded 10 docker inspect --type container --format "$open.State.Status$close $open.HostConfig.RestartPolicy.Name$close $open if .State.Health $close$open.State.Health.Status$close$open end $close" "$name" 2>&1)
  say inspect_code $?
  printf '%s\n' "$inspected" | { printf 'inspect='; brief; }
  unit
  endpoints
  bounded 10 docker exec "$name" cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | first 1 40 system_id
  bounded 10 docker exec "$name" gitlab-runner --version 2>/dev/null | version
}
if command -v docker >/dev/null 2>&1; then
  seen=$(look)
  printf '%s\n' "$seen"
  ${readContainerLog} | log_lines
else
  say inspect_code 127
  say inspect 'docker: command not found'
  endpoints
fi
`.trim();

const systemd = String.raw`
configuration() { cat /etc/gitlab-runner/config.toml; }
look() {
  shown=$(bounded 10 systemctl show --property=LoadState,ActiveState,SubState,Restart,Job "$name" 2>&1)
  say show_code $?
  first 8 300 unit <<END
$shown
END
  endpoints
  cat /etc/gitlab-runner/.runner_system_id 2>/dev/null | first 1 40 system_id
  bounded 10 gitlab-runner --version 2>/dev/null | version
}
seen=$(look)
printf '%s\n' "$seen"
${readJournal} | log_lines
`.trim();
