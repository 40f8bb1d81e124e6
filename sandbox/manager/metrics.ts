import { shortToken } from './log-lines.ts';
import type { Manager } from './manager.ts';
import { abilitiesOf } from './version.ts';

/** The series that people watch; `gitlab_runner_jobs` is absent while no job runs. */
export function metricsOf(manager: Manager): string {
  const { settings, jobs } = manager;
  const runner = shortToken(settings);
  const lines = [
    `gitlab_runner_concurrent ${settings.concurrent}`,
    `gitlab_runner_limit{runner="${runner}",system_id="${settings.systemId}"} 0`,
    `gitlab_runner_jobs_total{runner="${runner}",system_id="${settings.systemId}"} ${manager.jobsTaken}`,
    `gitlab_runner_version_info{name="gitlab-runner",version="${settings.version}"} 1`,
  ];
  const { taken, none, refused } = manager.requests;
  for (const [status, count] of Object.entries({ 201: taken, 204: none, 403: refused })) {
    if (count === 0) continue;
    lines.push(
      `gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="${runner}",status="${status}",system_id="${settings.systemId}"} ${count}`,
    );
  }
  if (settings.idleWorkers !== undefined) {
    lines.push(
      `fleeting_taskscaler_tasks{runner="${runner}",state="idle"} ${settings.idleWorkers}`,
    );
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
