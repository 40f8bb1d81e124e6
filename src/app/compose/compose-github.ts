import type { GitHubCredentials } from '../../adapters/github/github-client.ts';
import type { Transport } from '../../adapters/transport/transport.ts';
import { githubApi } from '../../config/rules/github-address.ts';
import type { GitHubSettings } from '../../domain/settings.ts';
import type { Shard } from '../../domain/shard.ts';
import { githubSecretMissing } from '../../errors/credential-errors.ts';
import type { CanaryJobs } from '../../ports/canary.ts';
import type { Pipelines } from '../../ports/pipelines.ts';
import type { Ports } from '../../ports/ports.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { parameterNames } from '../../stages/record/parameter-names.ts';
import type { Composition } from './compose.ts';

type GitHubPorts = Pick<Ports, 'registry' | 'canary' | 'pipelines'>;

/** Composes the ports behind GitHub, for stacks with GitHub runners. */
export async function composeGitHub(
  composition: Composition,
  { parameters, transport }: { parameters: StateStore; transport: Transport },
): Promise<GitHubPorts> {
  const { settings, surroundings } = composition;
  const { github } = settings;
  if (github === undefined) throw new Error('this stack has no GitHub runners');
  const [{ createGitHubClient }, { createGitHubRegistry }, { composePipelines }] =
    await Promise.all([
      import('../../adapters/github/github-client.ts'),
      import('../../adapters/github/runners/github-registry.ts'),
      import('./compose-pipelines.ts'),
    ]);
  const { clock, redactor } = surroundings;
  const client = await createGitHubClient({
    url: githubApi(settings.gitlabUrl),
    credentials: await readCredentials(composition, github, parameters),
    transport,
    redactor,
    clock,
  });
  const canary = await composeCanary(composition, client);
  const names = parameterNames(settings);
  const nameOf = (id: string) => names.fleet(shardOf(composition, id));
  return {
    registry: createGitHubRegistry({
      client,
      clock,
      scope: github.scope,
      groups: github.groups,
      canaryLabel: canary.tag,
      fleets: { parameters, nameOf },
      ...(settings.canary.kind === 'workflow'
        ? { canaryRepository: settings.canary.repository }
        : {}),
    }),
    canary,
    pipelines: composePipelines(composition, {
      gitlab: await composeGitLabPipelines(composition, transport),
      transport,
    }),
  };
}

/** Returns the shard of a runner named `{shard}-{runner_name}`. */
function shardOf({ settings }: Composition, id: string): Shard {
  const shard = settings.shards.find((one) => id === `${one}-${settings.runnerName}`);
  if (shard === undefined) throw new Error(`"${id}" is not a shard of ${settings.runnerName}`);
  return shard;
}

async function readCredentials(
  { surroundings }: Composition,
  { app, secretParameter }: GitHubSettings,
  parameters: StateStore,
): Promise<GitHubCredentials> {
  const variable =
    app === undefined ? 'HOSTED_RUNNER_GITHUB_TOKEN' : 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY';
  const secret =
    secretParameter === undefined
      ? surroundings.environment[variable]
      : (await parameters.find(secretParameter))?.value;
  if (secret === undefined || secret.trim() === '') {
    throw githubSecretMissing({ variable, parameter: secretParameter });
  }
  return app === undefined
    ? { kind: 'token', token: secret.trim() }
    : { kind: 'app', ...app, privateKey: secret };
}

async function composeCanary(
  { settings, run, surroundings }: Composition,
  client: import('../../adapters/github/github-client.ts').GitHubClient,
): Promise<CanaryJobs> {
  const { canary, runnerName } = settings;
  const { canaryTag } = await import('../../adapters/canary/canary-tag.ts');
  if (canary.kind !== 'workflow') {
    const { createNoCanary } = await import('../../adapters/canary/no-canary.ts');
    return createNoCanary({ deploymentId: run.deploymentId, runnerName });
  }
  const { createCanaryWorkflow } = await import('../../adapters/github/runs/canary-workflow.ts');
  const [owner = '', repository = ''] = canary.repository.split('/');
  return createCanaryWorkflow({
    client,
    clock: surroundings.clock,
    tag: canaryTag(run.deploymentId, runnerName),
    tagOf: (deploymentId) => canaryTag(deploymentId, runnerName),
    owner,
    repository,
    workflow: canary.workflow,
    ref: canary.ref,
  });
}

/** Composes GitLab's pipelines: a GitLab pipeline may have begun the stack's deployment. */
async function composeGitLabPipelines(
  { run, settings, surroundings }: Composition,
  transport: Transport,
): Promise<Pipelines> {
  const { environment, redactor } = surroundings;
  const url = settings.ciServers.gitlab;
  const token = environment['HOSTED_RUNNER_GITLAB_TOKEN'] || environment['GITLAB_TOKEN'];
  if (url === undefined || token === undefined) {
    const { unaskedPipelines } = await import('../../adapters/ci/pipelines-by-form.ts');
    return unaskedPipelines(
      url === undefined
        ? 'the configuration lacks gitlab.url, the address of the GitLab that runs it'
        : 'the environment has no GitLab token that can read its pipeline',
    );
  }
  const [{ createGitLabClient }, { createGitLabPipelines }] = await Promise.all([
    import('../../adapters/gitlab/gitlab-client.ts'),
    import('../../adapters/gitlab/jobs/gitlab-pipelines.ts'),
  ]);
  const client = createGitLabClient({ url, token: token.trim(), transport, redactor });
  const own = run.ci === 'gitlab' ? { ownJobId: run.jobId } : {};
  return createGitLabPipelines({ client, ...own });
}
