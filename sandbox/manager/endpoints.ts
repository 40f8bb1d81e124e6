import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shortToken } from './log-lines.ts';
import type { Manager } from './manager.ts';
import { abilitiesOf } from './version.ts';

/** Starts the runner's HTTP endpoints on a free port of the loopback. */
export async function startEndpoints(manager: Manager): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    // A hanging machine accepts the connection and never responds.
    if (manager.frozen) return;
    answer(manager, new URL(request.url ?? '/', 'http://runner').pathname, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function answer(manager: Manager, path: string, response: ServerResponse): void {
  const abilities = abilitiesOf(manager.settings.version);
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  if (path === '/metrics') {
    response.end(metricsOf(manager));
  } else if (path === '/debug/jobs/list') {
    response.setHeader('X-List-Version', '2');
    response.end(listJobs(manager));
  } else if (path === '/debug/process/state' && abilities.processState) {
    response.end(manager.state);
  } else if (path === '/health/ready' && abilities.readiness) {
    response.end('ready');
  } else {
    response.writeHead(404).end('404 page not found\n');
  }
}

/** Lists one job per line. Empty once the manager is drained. */
function listJobs(manager: Manager): string {
  return [...manager.jobs]
    .map((job) => {
      const seconds = Math.round((manager.now() - job.startedAtMs) / 1000);
      const project = job.payload.job_info?.project_name ?? 'project';
      const url = `${manager.settings.url}/${project}/-/jobs/${job.payload.id}`;
      return `url=${url} state=running stage=${job.executorStage} executor_stage=shell_run duration=${seconds}s\n`;
    })
    .join('');
}

/** Renders the metrics in use. `gitlab_runner_jobs` is absent while no job runs. */
function metricsOf(manager: Manager): string {
  const { settings, jobs } = manager;
  const runner = shortToken(settings);
  const lines = [
    `gitlab_runner_concurrent ${settings.concurrent}`,
    `gitlab_runner_limit{runner="${runner}",system_id="${settings.systemId}"} 0`,
    `gitlab_runner_jobs_total{runner="${runner}",system_id="${settings.systemId}"} ${manager.jobsTaken}`,
    `gitlab_runner_version_info{name="gitlab-runner",version="${settings.version}"} 1`,
  ];
  lines.push(...requestSeries(manager, runner), ...routerSeries(manager, runner));
  if (settings.idleWorkers !== undefined) {
    const slots = { acquired: jobs.size, idle: settings.idleWorkers, pending: 0, reserved: 0 };
    for (const [state, count] of Object.entries(slots))
      lines.push(`fleeting_taskscaler_tasks{runner="${runner}",state="${state}"} ${count}`);
  }
  const byStage = new Map<string, number>();
  for (const job of jobs) {
    byStage.set(job.executorStage, (byStage.get(job.executorStage) ?? 0) + 1);
  }
  for (const [stage, count] of byStage) {
    lines.push(
      `gitlab_runner_jobs{runner="${runner}",system_id="${settings.systemId}",state="running",stage="${stage}",executor_stage="shell_run"} ${count}`,
    );
  }
  if (abilitiesOf(settings.version).processState) {
    lines.push(`gitlab_runner_process_state_info{state="${manager.state}"} 1`);
  }
  return `${lines.join('\n')}\n`;
}

/** Renders the series of REST requests. A runner behind the job router has none. */
function requestSeries({ settings, requests }: Manager, runner: string): readonly string[] {
  if (settings.jobRouter) return [];
  const { taken, none, refused } = requests;
  return Object.entries({ 201: taken, 204: none, 403: refused })
    .filter(([, count]) => count > 0)
    .map(
      ([status, count]) =>
        `gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="${runner}",status="${status}",system_id="${settings.systemId}"} ${count}`,
    );
}

/**
 * Renders the router's series, as router/metrics.go of gitlab-runner. Every runner exposes the
 * circuit breaker, and a fallback only after the first one.
 */
function routerSeries({ settings, requests }: Manager, runner: string): readonly string[] {
  const abilities = abilitiesOf(settings.version);
  if (!abilities.routerSeries) return [];
  const { taken, none, refused } = requests;
  const count = settings.jobRouter ? taken + none + refused : 0;
  const labels = abilities.routerLabels
    ? `{runner="${runner}",system_id="${settings.systemId}"}`
    : '';
  const series = 'gitlab_runner_job_router';
  return [
    `${series}_circuit_breaker_state 0`,
    ...(count > 0 || !abilities.routerLabels
      ? [`${series}_get_job_duration_seconds_count${labels} ${count}`]
      : []),
    ...(count > 0 ? [`${series}_discovery_cache_events_total{result="miss"} 1`] : []),
    ...(count > 1 ? [`${series}_discovery_cache_events_total{result="hit"} ${count - 1}`] : []),
  ];
}
