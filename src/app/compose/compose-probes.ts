import type { GitLabClient } from '../../adapters/gitlab/gitlab-client.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Composition } from './compose.ts';

/** Checks the secrets that the canary's job gets: it receives the variables of its project. */
export async function probingCanary(
  { settings: { canary }, run, surroundings: { environment } }: Composition,
  client: GitLabClient,
  registry: Ports['registry'],
): Promise<Ports['registry']> {
  const isInGitLab = run.ci === 'gitlab';
  if (canary.kind !== 'project' && !(canary.kind === 'job' && isInGitLab)) return registry;
  const { isProjectOf, withCanaryProbe } = await import(
    '../../adapters/gitlab/canary/canary-secrets.ts'
  );
  const { readGitLabPipeline } = await import('../../adapters/ci/gitlab-run.ts');
  const project =
    canary.kind === 'project' ? canary.project : readGitLabPipeline(environment).projectId;
  const isOwn = isInGitLab && isProjectOf(project, environment);
  return withCanaryProbe(registry, { client, project, isOwn, environment });
}

/** Checks the settings of the project whose pipeline deploys. */
export async function probingProject(
  { settings, run, surroundings, signal }: Composition,
  registry: Ports['registry'],
): Promise<Ports['registry']> {
  if (run.ci !== 'gitlab') return registry;
  const { withSettingsProbe } = await import('../../adapters/gitlab/project/settings-probe.ts');
  const { oneShortAttempt, openGitLab } = await import('./gitlab-opening.ts');
  const { environment } = surroundings;
  return withSettingsProbe(registry, {
    client: await openGitLab(surroundings, { ...settings, signal, limits: oneShortAttempt }),
    project: Number(environment['CI_PROJECT_ID']),
    path: environment['CI_PROJECT_PATH'],
    runnerName: settings.runnerName,
    commit: run.commit,
    isChild: environment['CI_PIPELINE_SOURCE'] === 'parent_pipeline',
  });
}
