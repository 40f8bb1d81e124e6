import { costValues } from '../domain/deployment/cost.ts';
import { renderJUnit } from './junit.ts';
import type { RunReport } from './run-report.ts';
import { renderTimeline } from './timeline.ts';

// https://docs.gitlab.com/ci/yaml/artifacts_reports/#artifactsreportsannotations
const mostLinks = 20;
const mostCharacters = 300;

/** GitLab's annotations report: links on the page of the job. */
export function renderAnnotations({ links }: RunReport): string {
  const entries = links
    .filter(({ url }) => url.length <= 2000)
    .slice(0, mostLinks)
    .map(({ label, url }) => ({ external_link: { label: label.slice(0, mostCharacters), url } }));
  return `${JSON.stringify({ hosted_runner: entries }, null, 2)}\n`;
}

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

export function renderReportFiles(report: RunReport): readonly ReportFile[] {
  return [
    { name: 'junit.xml', text: renderJUnit(report) },
    { name: 'annotations.json', text: renderAnnotations(report) },
    { name: 'timeline.html', text: renderTimeline(report) },
    { name: 'deployment.env', text: renderDeploymentEnv(report) },
  ];
}

/** GitLab's dotenv report, for later jobs of the user's own: one line each, no quotes, no secrets. */
export function renderDeploymentEnv(report: RunReport): string {
  return Object.entries(deploymentVariables(report))
    .map(([name, value]) => [name, value.replace(/[^A-Za-z0-9_./@:-]/g, '').slice(0, 250)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** A value that is not known is empty here and left out of the file. */
function deploymentVariables(report: RunReport): Readonly<Record<string, string>> {
  const { deployment, activeShard, outcome } = report;
  const cost = deployment?.cost === undefined ? {} : costValues(deployment.cost);
  return {
    HOSTED_RUNNER_ACTIVE_SHARD: activeShard ?? '',
    HOSTED_RUNNER_CANDIDATE: deployment?.candidate ?? '',
    HOSTED_RUNNER_RETIRING: deployment?.retiring ?? '',
    HOSTED_RUNNER_PHASE: deployment?.phase ?? '',
    HOSTED_RUNNER_DEPLOYMENT_ID: deployment?.id ?? '',
    HOSTED_RUNNER_OUTCOME: outcome,
    HOSTED_RUNNER_JOBS_FINISHED: cost['jobs_finished'] ?? '',
    HOSTED_RUNNER_JOBS_BROKEN: cost['jobs_broken'] ?? '',
    HOSTED_RUNNER_LONGEST_WAIT_SECONDS: cost['longest_wait_seconds'] ?? '',
    HOSTED_RUNNER_TWO_SHARDS_SECONDS: cost['two_shards_seconds'] ?? '',
  };
}
