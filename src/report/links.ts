import type { StackSettings } from '../domain/settings.ts';
import type { DeploymentView } from '../ports/log-event.ts';
import type { Link } from './run-report.ts';

export interface LinkFacts {
  readonly settings: Pick<StackSettings, 'gitlabUrl' | 'canary' | 'registration'>;
  readonly deployment?: DeploymentView | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reportDirectory?: string | undefined;
}

/** Lists links for the operator's next step. Only addresses that this GitLab has. */
export function linksOf({ settings, deployment, environment, reportDirectory }: LinkFacts): Link[] {
  const links: (Link | undefined)[] = [
    registrationLink(settings, deployment),
    canaryLink({ settings, deployment, environment }),
    deployment?.pipelineUrl === undefined
      ? undefined
      : { label: `Pipeline of deployment ${deployment.id}`, url: deployment.pipelineUrl },
    reportLink(environment, reportDirectory),
  ];
  return links.filter((link) => link !== undefined && isWebAddress(link.url)) as Link[];
}

function registrationLink(
  { gitlabUrl, registration }: LinkFacts['settings'],
  deployment: DeploymentView | undefined,
): Link | undefined {
  if (deployment?.registration === undefined) return undefined;
  const id = encodeURIComponent(deployment.registration);
  const label = `Runner ${deployment.registration} of ${deployment.candidate}`;
  // Pages of groups and projects need a path, and the configuration has only ids.
  return registration.scope.kind === 'instance'
    ? { label, url: `${gitlabUrl}/admin/runners/${id}` }
    : { label: `${label} (API)`, url: `${gitlabUrl}/api/v4/runners/${id}` };
}

function canaryLink({ settings, deployment, environment }: LinkFacts): Link | undefined {
  const { canary, gitlabUrl } = settings;
  if (deployment?.canary === undefined) return undefined;
  const label = `Canary job ${deployment.canary}`;
  const job = `/-/jobs/${encodeURIComponent(deployment.canary)}`;
  if (canary.kind === 'project') {
    const isPath = canary.project.includes('/');
    return isPath ? { label, url: `${gitlabUrl}/${canary.project}${job}` } : undefined;
  }
  const project = environment['CI_PROJECT_URL'];
  return project === undefined ? undefined : { label, url: `${project}${job}` };
}

/** https://docs.gitlab.com/ci/jobs/job_artifacts/#url-to-access-the-latest-job-artifacts */
function reportLink(
  environment: LinkFacts['environment'],
  directory: string | undefined,
): Link | undefined {
  const job = environment['CI_JOB_URL'];
  if (job === undefined || directory === undefined || /^\/|(?:^|\/)\.\.(?:\/|$)/.test(directory)) {
    return undefined;
  }
  const path = directory.replace(/^(?:\.\/)+|\/+$/g, '');
  return {
    label: 'Timeline of this run',
    url: `${job}/artifacts/file/${encodeURI(path)}/timeline.html`,
  };
}

/** Accepts web addresses as a link target, and refuses scripts. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s"'<>\\]+$/.test(text) && URL.canParse(text);
}
