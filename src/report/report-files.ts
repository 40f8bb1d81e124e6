import { renderJUnit } from './junit.ts';
import { runOutputs } from './run-outputs.ts';
import type { RunReport } from './run-report.ts';
import { renderTimeline } from './timeline.ts';

// https://docs.gitlab.com/ci/yaml/artifacts_reports/#artifactsreportsannotations
const mostLinks = 20;
const mostCharacters = 300;

/** Renders GitLab's annotations report: links on the page of the job. */
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

/**
 * Renders GitLab's dotenv report for the user's later jobs: one line per value, no quotes, no
 * secrets. Unknown values are omitted.
 */
export function renderDeploymentEnv(report: RunReport): string {
  return Object.entries(runOutputs(report))
    .map(
      ([name, value]) =>
        [
          `HOSTED_RUNNER_${name.toUpperCase()}`,
          value.replace(/[^A-Za-z0-9_./@:-]/g, '').slice(0, 250),
        ] as const,
    )
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
