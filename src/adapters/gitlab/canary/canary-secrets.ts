import { z } from 'zod';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult, RunnerRegistry } from '../../../ports/registry.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { readOne } from '../list-reader.ts';

/** Variables with a deployment's secrets. Each gives access to the runners or to AWS. */
const deploymentSecrets = [
  'HOSTED_RUNNER_GITLAB_TOKEN',
  'GITLAB_TOKEN',
  'HOSTED_RUNNER_GITHUB_TOKEN',
  'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
  'HOSTED_RUNNER_PROMETHEUS_TOKEN',
  'HOSTED_RUNNER_WEBHOOK_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  // Variables of type file, and the credentials of GitLab's Terraform backend.
  'AWS_SHARED_CREDENTIALS_FILE',
  'TF_HTTP_PASSWORD',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface CanaryPipeline {
  readonly client: GitLabClient;
  /** Project of the canary's job: an id, or the path of `canary.project`. */
  readonly project: number | string;
  /** Whether this run belongs to the same project, whose jobs need the secret. */
  readonly isOwn: boolean;
  readonly environment: Environment;
}

/**
 * Adds a check to the registry's probe: whether the canary would get a secret of this job. The
 * canary has no environment, so it gets variables of its project and groups with the scope `*`
 * (decision 15).
 */
export function withCanaryProbe(
  registry: RunnerRegistry,
  pipeline: CanaryPipeline,
): RunnerRegistry {
  return {
    ...registry,
    probe: async (...args) => [
      ...(await registry.probe(...args)),
      ...(await probeCanarySecrets(pipeline)),
    ],
  };
}

/** Compares the project, by id or path, with the project of this job. */
export function isProjectOf(project: number | string, environment: Environment): boolean {
  const { CI_PROJECT_ID: id, CI_PROJECT_PATH: path } = environment;
  return [id, path?.toLowerCase()].includes(String(project).toLowerCase());
}

/**
 * Lists the variables that contain this run's secrets. GITLAB_TOKEN is excluded if
 * HOSTED_RUNNER_GITLAB_TOKEN is set.
 */
export function secretsOf(environment: Environment): readonly string[] {
  const isOthers = (name: string) =>
    name === 'GITLAB_TOKEN' && Boolean(environment['HOSTED_RUNNER_GITLAB_TOKEN']);
  return deploymentSecrets.filter((name) => Boolean(environment[name]) && !isOthers(name));
}

/** Shortest value that counts as a copy. Ordinary variables may be shorter, secrets are not. */
const shortestCopied = 8;

/**
 * Lists variables with the same value as a secret, as in `HOSTED_RUNNER_GITLAB_TOKEN:
 * $DEPLOY_TOKEN` of a pipeline's file.
 */
function copiedFrom(environment: Environment, names: readonly string[]): readonly string[] {
  const values = new Set(names.map((name) => environment[name]));
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const isCopied = value.length >= shortestCopied && values.has(value) && !names.includes(name);
    return isCopied && /^\w+$/.test(name) ? [name] : [];
  });
}

async function probeCanarySecrets(pipeline: CanaryPipeline): Promise<readonly ProbeResult[]> {
  const known = secretsOf(pipeline.environment);
  const names = [...known, ...copiedFrom(pipeline.environment, known)];
  if (names.length === 0) return [];
  const places = await listPlaces(pipeline);
  const results: ProbeResult[] = [];
  for (const name of names) results.push(await probeSecret(pipeline, places, name));
  return results;
}

interface Place {
  readonly called: string;
  readonly variable: (name: string) => string;
}

/** Places that define variables for a job of the project. */
interface Places {
  readonly seen: readonly Place[];
  /** Reason if the groups are unknown. */
  readonly hidden?: string;
}

export const placeOfProject = z.object({
  namespace: z.object({ kind: z.string(), full_path: z.string() }),
});

/** Lists the project, then its groups from the inside out. */
async function listPlaces({ client, project }: CanaryPipeline): Promise<Places> {
  const endpoint = `projects/${encodeURIComponent(project)}`;
  const own: Place = {
    called: `project ${project}`,
    variable: (name) => `${endpoint}/variables/${name}`,
  };
  try {
    const { namespace } = await readOne(client, endpoint, { schema: placeOfProject });
    if (namespace.kind === 'user') return { seen: [own] };
    const parts = namespace.full_path.split('/');
    const groups = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
    return { seen: [own, ...groups.map(placeOfGroup)] };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (!isRefusal(error, 403) && !isRefusal(error, 404)) throw error;
    return { seen: [own], hidden: `the groups of project ${project}: ${error.detail}` };
  }
}

function placeOfGroup(path: string): Place {
  const group = encodeURIComponent(path);
  return { called: `group ${path}`, variable: (name) => `groups/${group}/variables/${name}` };
}

async function probeSecret(
  { client, ...canary }: CanaryPipeline,
  { seen, hidden }: Places,
  name: string,
): Promise<ProbeResult> {
  const what = `variable ${name} without the scope *`;
  const unread = hidden === undefined ? [] : [hidden];
  for (const { called, variable } of seen) {
    const found = await findUnscoped(client, variable(name));
    if (found === 'present')
      return {
        what,
        outcome: 'missing',
        detail: describeUnscoped({ called, ...canary }),
      };
    if (found !== 'absent') unread.push(`${called}: ${found.unread}`);
  }
  return unread.length > 0
    ? { what, outcome: 'not_probed', detail: unread.join('; ') }
    : {
        what,
        outcome: 'granted',
        detail: `none in ${seen.map(({ called }) => called).join(', ')}`,
      };
}

export const scopeOfVariable = z.object({ environment_scope: z.string().nullish() });

/**
 * Finds variables with the scope `*`, the default. An older GitLab ignores this filter for groups
 * and returns any scope.
 */
async function findUnscoped(
  client: GitLabClient,
  endpoint: string,
): Promise<'present' | 'absent' | { readonly unread: string }> {
  try {
    const { environment_scope: scope } = await readOne(client, endpoint, {
      schema: scopeOfVariable,
      query: { 'filter[environment_scope]': '*' },
    });
    if ((scope ?? '*') === '*') return 'present';
    return { unread: `GitLab returned the scope ${scope}, and one with * may exist beside it` };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (isNotFound(error, 'variable')) return 'absent';
    if (![403, 404, 409].some((status) => isRefusal(error, status))) throw error;
    return { unread: error.detail };
  }
}

function describeUnscoped({
  called,
  project,
  isOwn,
  environment,
}: Omit<CanaryPipeline, 'client'> & { readonly called: string }): string {
  const scope = scopeFor(environment);
  const change = !isOwn
    ? `remove it there and define it in the project that deploys, with the scope ${scope}`
    : called === `project ${project}`
      ? `change the scope to ${scope}`
      : `remove it from the group and define it in project ${project} with the scope ${scope}`;
  return `the variable of ${called} has the environment scope "*", so the canary gets it on a host that runs customer jobs; ${change} (docs/use/gitlab.md, The token and the canary)`;
}

/** Returns the environment scope that the templates give to the jobs. */
function scopeFor(environment: Environment): string {
  const own = environment['CI_ENVIRONMENT_NAME'] ?? '';
  const [, base = 'hosted-runner'] = /^([A-Za-z0-9_./-]+)\/[^/]+\/access$/.exec(own) ?? [];
  return `${base}/*`;
}
