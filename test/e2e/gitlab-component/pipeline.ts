import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { bundledProgram } from '../../support/program.ts';
import type { World } from '../by-hand/world/world.ts';
import { runLocally } from './local-runner.ts';
import type { Project } from './project.ts';

/** Pipeline of the sandbox's GitLab. gitlab-ci-local runs its stage jobs. */
export interface Pipeline {
  readonly id: number;
  /** Runs all jobs, or the named ones. A repetition is a retry with a new job id. */
  run(order?: Order): Promise<Outcome>;
  setStatus(job: string, status: 'manual' | 'skipped' | 'canceled'): void;
  /** Canary jobs of the sandbox's GitLab. */
  canaries(): readonly { status: string; runnerId: number | null; managerId: number | null }[];
}

export interface PipelineOptions {
  readonly runnerNames?: string[];
  readonly approval?: boolean;
  readonly bake?: boolean;
  /** Whether the job names have the stack's name as a prefix. */
  readonly prefixed?: boolean;
  /** Name in the example for a job of the sandbox's pipeline. */
  readonly jobName?: (name: string) => string;
}

export interface Order {
  readonly jobs?: readonly string[];
  readonly manual?: readonly string[];
  /** Runner's effects on jobs, by job name. */
  readonly facts?: Readonly<Record<string, JobFacts>>;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface JobFacts {
  readonly env?: Readonly<Record<string, string>>;
  readonly killAfterMs?: number;
  /** File that exists once the job has ended. */
  readonly afterwards?: string;
}

export interface Outcome {
  /** Exit codes of hosted-runner by job. An absent job did not run. */
  readonly jobs: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, string>>;
  readonly output: string;
}

export async function createPipeline(
  world: World,
  project: Project,
  {
    runnerNames = ['linux'],
    approval = false,
    bake = false,
    prefixed = false,
    jobName = (name) => name,
  }: PipelineOptions = {},
): Promise<Pipeline> {
  const { gitlab } = world.sandbox;
  const created = gitlab.createPipeline({
    project: 101,
    runnerNames,
    inputs: { approval, bake, job_prefix: prefixed },
  });
  const found = await sendRequest<{ created_at: string; web_url: string }>(
    world,
    `pipelines/${created.id}`,
  );
  const ids = new Map(created.jobs.map(({ name, id }) => [jobName(name), id]));
  const variables = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER_URL: world.sandbox.url,
    CI_PROJECT_ID: '101',
    CI_PIPELINE_ID: String(created.id),
    CI_PIPELINE_IID: String(created.iid),
    CI_PIPELINE_CREATED_AT: found.created_at,
    CI_PIPELINE_URL: found.web_url,
    GITLAB_USER_LOGIN: 'deployer',
  };

  async function retryFinished(jobs: Iterable<string>): Promise<void> {
    for (const name of jobs) {
      const job = gitlab.jobs().find(({ id }) => id === ids.get(name));
      if (job === undefined || !['success', 'failed', 'canceled'].includes(job.status)) continue;
      const again = await sendRequest<{ id: number }>(world, `jobs/${job.id}/retry`, 'POST');
      ids.set(name, again.id);
    }
  }

  async function run({ jobs = [], manual = [], facts = {}, variables: more = {} }: Order = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'gitlab-jobs-'));
    const stages = [...ids.keys()].filter((name) => !name.includes('canary'));
    await retryFinished(jobs.length === 0 ? stages : jobs);
    const known = [...ids].map(([name, id]) => [name, { id, ...facts[name] }]);
    writeFileSync(join(folder, 'jobs.json'), JSON.stringify(Object.fromEntries(known)));
    writeFileSync(join(folder, 'results'), '');
    try {
      const {
        HOSTED_RUNNER_CONFIG: _,
        HOSTED_RUNNER_GITHUB_TOKEN: __,
        HOSTED_RUNNER_GITLAB_TOKEN,
        ...environment
      } = world.environment;
      scopeToken(project.folder, HOSTED_RUNNER_GITLAB_TOKEN);
      const { output, verdicts } = await runLocally({
        folder: project.folder,
        args: [...jobs, ...manual.flatMap((name) => ['--manual', name])],
        variables: { ...variables, ...more },
        environment: {
          ...environment,
          PATH: [project.bin, process.env['PATH']].join(delimiter),
          PLAYED_JOBS: join(folder, 'jobs.json'),
          PLAYED_RESULTS: join(folder, 'results'),
          PLAYED_PROGRAM: bundledProgram,
        },
      });
      return { output, verdicts, jobs: readResults(join(folder, 'results')) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  return {
    id: created.id,
    run,
    setStatus: (job, status) => gitlab.setJobStatus(ids.get(job) ?? 0, status),
    canaries: () =>
      gitlab
        .jobs()
        .filter(({ name, pipelineId }) => name.includes('canary') && pipelineId === created.id),
  };
}

function readResults(path: string): Record<string, number> {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const results = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return Object.fromEntries(results.map(({ name, exitCode }) => [name, exitCode]));
}

async function sendRequest<T>({ sandbox }: World, path: string, method = 'GET'): Promise<T> {
  const response = await fetch(`${sandbox.url}/api/v4/projects/101/${path}`, {
    method,
    headers: { 'private-token': sandbox.gitlab.deployerToken() },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as T;
}

/**
 * Limits the token to environments of the project's variable as documented, so no canary gets it.
 */
function scopeToken(folder: string, token: string | undefined): void {
  const values = { 'hosted-runner/*': token, 'runners/*': token };
  const variables = { HOSTED_RUNNER_GITLAB_TOKEN: { type: 'variable', values } };
  writeFileSync(join(folder, '.gitlab-ci-local-variables.yml'), JSON.stringify(variables));
}
