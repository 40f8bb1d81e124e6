import type { CanaryJob } from '../../../domain/health/canary-job.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import type { JobPlace } from '../jobs/job.ts';

/**
 * Line that the canary's script prints for each secret of its job (templates/deploy/template.yml).
 */
const mark = /hosted_runner_canary_has:([A-Z][A-Z_]{0,99})/g;

export interface CanaryLogs extends JobPlace {
  readonly client: GitLabClient;
  /** Names of the variables that contain this deployment's secrets. */
  readonly secrets: readonly string[];
}

/** The script fails because of these variables. Others may belong to another tool. */
const isOwnVariable = (name: string) => name.startsWith('HOSTED_RUNNER_');

/**
 * Adds the secrets that the job's log names. If the log cannot be read, the job stays as GitLab
 * reports it.
 */
export async function withExposed(
  { client, project, secrets }: CanaryLogs,
  job: CanaryJob,
): Promise<CanaryJob> {
  const mayHave =
    job.status === 'success'
      ? !secrets.every(isOwnVariable)
      : job.status === 'failed' && job.failureReason === 'script_failure';
  if (!mayHave) return job;
  const named = [...(await readLog({ client, project }, job.id)).matchAll(mark)];
  const names = new Set(named.map(([, name = '']) => name));
  const exposed = [...names].filter((name) => isOwnVariable(name) || secrets.includes(name));
  return exposed.length === 0 ? job : { ...job, exposed };
}

async function readLog(
  { client, project }: Pick<CanaryLogs, 'client' | 'project'>,
  id: string,
): Promise<string> {
  const endpoint = `projects/${encodeURIComponent(String(project))}/jobs/${id}/trace`;
  try {
    return String((await client.rawText.get(endpoint)).body);
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return '';
  }
}
