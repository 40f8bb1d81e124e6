import { accountValues } from '../domain/deployment/account.ts';
import type { RunReport } from './run-report.ts';

/** GitLab's dotenv report, for later jobs of the user's own: one line each, no quotes, no secrets. */
export function renderDeploymentEnv(report: RunReport): string {
  return Object.entries(deploymentVariables(report))
    .map(([name, value]) => [name, value.replace(/[^A-Za-z0-9_./@:-]/g, '').slice(0, 250)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** A value that is not known is empty here and left out of the file. */
export function deploymentVariables(report: RunReport): Readonly<Record<string, string>> {
  const { deployment, activeShard, outcome } = report;
  const account = deployment?.account === undefined ? {} : accountValues(deployment.account);
  return {
    HOSTED_RUNNER_ACTIVE_SHARD: activeShard ?? '',
    HOSTED_RUNNER_CANDIDATE: deployment?.candidate ?? '',
    HOSTED_RUNNER_RETIRING: deployment?.retiring ?? '',
    HOSTED_RUNNER_PHASE: deployment?.phase ?? '',
    HOSTED_RUNNER_DEPLOYMENT_ID: deployment?.id ?? '',
    HOSTED_RUNNER_OUTCOME: outcome,
    HOSTED_RUNNER_JOBS_FINISHED: account['jobs_finished'] ?? '',
    HOSTED_RUNNER_JOBS_BROKEN: account['jobs_broken'] ?? '',
    HOSTED_RUNNER_LONGEST_WAIT_SECONDS: account['longest_wait_seconds'] ?? '',
    HOSTED_RUNNER_TWO_SHARDS_SECONDS: account['two_shards_seconds'] ?? '',
  };
}
