import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult, RunnerRegistry } from '../../../ports/registry.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import type { GitLabClient } from '../client.ts';

/** Secrets of a deployment that a job of its pipeline may have; each leads to the runners or to AWS. */
const deploymentSecrets = [
  'HOSTED_RUNNER_GITLAB_TOKEN',
  'GITLAB_TOKEN',
  'HOSTED_RUNNER_GITHUB_TOKEN',
  'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
  'HOSTED_RUNNER_PROMETHEUS_TOKEN',
  'HOSTED_RUNNER_WEBHOOK_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface CanaryPipeline {
  readonly client: GitLabClient;
  readonly projectId: number;
  readonly environment: Environment;
}

/**
 * Adds to the registry's probe whether the canary of this pipeline would get a secret of this job. The
 * canary has no environment, so it gets the project's variables with the scope `*` (decision 54).
 */
export function withCanaryProbe(
  registry: RunnerRegistry,
  pipeline: CanaryPipeline,
): RunnerRegistry {
  return {
    ...registry,
    probe: async (...asked) => [
      ...(await registry.probe(...asked)),
      ...(await probeCanarySecrets(pipeline)),
    ],
  };
}

async function probeCanarySecrets(pipeline: CanaryPipeline): Promise<readonly ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const name of deploymentSecrets)
    if (pipeline.environment[name]) results.push(await probeSecret(pipeline, name));
  return results;
}

async function probeSecret(
  { client, projectId, environment }: CanaryPipeline,
  name: string,
): Promise<ProbeResult> {
  const what = `variable ${name} without the scope *`;
  try {
    await client.raw.get(`projects/${projectId}/variables/${name}`, {
      searchParams: { 'filter[environment_scope]': '*' },
    });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (isRefusal(error, 404) && error.detail === '404 Variable Not Found')
      return { what, outcome: 'granted', detail: `project ${projectId} has none with that scope` };
    if (!isRefusal(error, 403) && !isRefusal(error, 404)) throw error;
    return { what, outcome: 'not_probed', detail: error.detail };
  }
  return {
    what,
    outcome: 'missing',
    detail: `the variable of project ${projectId} has the environment scope "*", so the canary gets it on a host that runs customers' jobs; change the scope to ${scopeFor(environment)} (docs/use/gitlab.md, The token and the canary)`,
  };
}

/** The scope of the environments that the templates give to the jobs. */
function scopeFor(environment: Environment): string {
  const own = environment['CI_ENVIRONMENT_NAME'] ?? '';
  const [, base = 'hosted-runner'] = /^([A-Za-z0-9_./-]+)\/[^/]+\/access$/.exec(own) ?? [];
  return `${base}/*`;
}
