import { PortFailure } from '../../../ports/failure.ts';
import type { Transport } from '../../transport/transport.ts';
import type { Redactor } from '../../transport/words/redaction.ts';
import { parseJson, quote, readWords } from '../../transport/words/words.ts';

export interface GitHubApiOptions {
  /** GITHUB_API_URL. */
  readonly url: string;
  /** With `actions: read`; without one, only public repositories answer. */
  readonly token?: string | undefined;
  readonly transport: Transport;
  readonly redactor: Redactor;
}

/** The two reads of GitHub that we need. Both reject with a PortFailure, also for what is not there. */
export interface GitHubApi {
  readRun(run: RunReference): Promise<{ status: string; conclusion?: string }>;
  /** Jobs of every attempt; complete, or it rejects. */
  listJobs(run: RunReference): Promise<readonly RunJob[]>;
}

export interface RunJob {
  readonly name: string;
  readonly status: string;
  readonly attempt: number;
  readonly runner: string;
  /** Of a job that has ended. */
  readonly conclusion?: string;
}

interface RunReference {
  readonly repository: string;
  readonly runId: string;
}

const pageSize = 100;
const mostPages = 10;

/** https://docs.github.com/rest/actions/workflow-runs and workflow-jobs */
export function createGitHubApi(options: GitHubApiOptions): GitHubApi {
  const pathOf = ({ repository, runId }: RunReference) =>
    `/repos/${repository}/actions/runs/${runId}`;
  return {
    async readRun(run) {
      const { answer, fail } = await get(options, pathOf(run));
      const status = answer['status'];
      const conclusion = answer['conclusion'];
      if (typeof status !== 'string') throw fail('its answer has no status');
      return { status, ...(typeof conclusion === 'string' ? { conclusion } : {}) };
    },
    async listJobs(run) {
      const jobs: RunJob[] = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const path = `${pathOf(run)}/jobs?filter=all&per_page=${pageSize}&page=${page}`;
        const { answer, fail } = await get(options, path);
        const total = answer['total_count'];
        const listed = answer['jobs'];
        if (typeof total !== 'number' || !Array.isArray(listed))
          throw fail('its answer has no jobs');
        jobs.push(...listed.map((job) => readJob(job, fail)));
        if (jobs.length >= total) return jobs;
        if (listed.length === 0) throw fail(`only ${jobs.length} of ${total} jobs were listed`);
      }
      throw failure(options, `GitHub GET ${pathOf(run)}/jobs`, 'there are more jobs than are read');
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Fail = (detail: string) => PortFailure;

async function get(
  options: GitHubApiOptions,
  path: string,
): Promise<{ answer: Fields; fail: Fail }> {
  const { url, token, transport, redactor } = options;
  const source = `GitHub GET ${path.replace(/\?.*/, '')}`;
  const { status, body } = await transport({
    method: 'GET',
    url: new URL(`${url.replace(/\/+$/, '')}${path}`),
    source,
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  if (status !== 200) {
    const words = quote(readWords(body), redactor);
    throw new PortFailure({
      kind: status === 401 ? 'unauthenticated' : status === 403 ? 'denied' : 'refused',
      effect: 'none',
      source,
      detail: words === '' ? `answered ${status}` : words,
      status,
    });
  }
  const answer = parseJson(body);
  const fail: Fail = (detail) => failure(options, source, detail);
  if (typeof answer !== 'object' || answer === null) throw fail('its answer is not JSON');
  return { answer: answer as Fields, fail };
}

function readJob(job: unknown, fail: Fail): RunJob {
  const { name, status, conclusion, ...rest } = (job ?? {}) as Fields;
  const { run_attempt: attempt, runner_name: runner } = rest;
  if (typeof name !== 'string' || typeof status !== 'string') throw fail('a job has no status');
  return {
    name,
    status,
    attempt: typeof attempt === 'number' ? attempt : 0,
    runner: typeof runner === 'string' ? runner : '',
    ...(typeof conclusion === 'string' ? { conclusion } : {}),
  };
}

function failure({ redactor }: GitHubApiOptions, source: string, detail: string): PortFailure {
  return new PortFailure({
    kind: 'unexpected',
    effect: 'none',
    source,
    detail: quote(detail, redactor),
  });
}
