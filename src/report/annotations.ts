import type { RunReport } from './run-report.ts';

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
