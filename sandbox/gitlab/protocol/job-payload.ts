import { fullPathOf } from '../answers/access.ts';
import { projectById, webUrlOf } from '../entities/project.ts';
import type { Instance } from '../instance.ts';
import type { Job, Pipeline, Project, Runner } from '../state.ts';
import { FAILURE_REASONS } from './failure-reasons.ts';

interface Offer {
  job: Job;
  runner: Runner;
  token: string;
}

interface Variable {
  key: string;
  value: string;
  public: boolean;
  file: boolean;
  masked: boolean;
  raw: boolean;
}

const NO_COMMIT = '0'.repeat(40);

/**
 * Returns the data that a runner from version 14 on needs to run the job. There is no repository to
 * fetch.
 */
export function jobPayload(instance: Instance, { job, runner, token }: Offer) {
  const project = projectById(instance, job.projectId);
  const pipeline = pipelineOf(instance, job);
  const timeout = Math.min(job.timeoutSeconds, runner.maximumTimeoutSeconds ?? job.timeoutSeconds);
  return {
    id: job.id,
    token,
    allow_git_fetch: true,
    job_info: {
      id: job.id,
      name: job.name,
      stage: job.stage,
      project_id: project.id,
      project_name: project.name,
      project_full_path: fullPathOf(instance, project),
      pipeline_id: pipeline.id,
      user_id: job.userId,
      time_in_queue_seconds: Math.max(0, (instance.now() - (job.queuedAt ?? 0)) / 1000),
      project_jobs_running_on_instance_runners_count: '0',
    },
    git_info: {
      repo_url: repositoryUrl(instance, { project, token }),
      ref: job.ref,
      sha: pipeline.sha,
      before_sha: NO_COMMIT,
      ref_type: 'branch',
      refspecs: [`+refs/heads/${job.ref}:refs/remotes/origin/${job.ref}`],
      depth: 0,
      repo_object_format: 'sha1',
    },
    runner_info: { timeout, runner_session_url: null },
    variables: variablesOf(instance, { job, runner, token, project, pipeline }),
    steps: stepsOf(job, timeout),
    hooks: [],
    image: null,
    services: [],
    artifacts: [],
    cache: [],
    credentials: [],
    dependencies: [],
    features: { trace_sections: true, token_mask_prefixes: [], failure_reasons: FAILURE_REASONS },
    secrets: {},
  };
}

function stepsOf(job: Job, timeout: number) {
  const step = {
    name: 'script',
    script: job.script,
    timeout,
    when: 'on_success',
    allow_failure: false,
  };
  if (job.afterScript.length === 0) return [step];
  const after = { ...step, name: 'after_script', script: job.afterScript, when: 'always' };
  return [step, { ...after, allow_failure: true }];
}

function variablesOf(
  instance: Instance,
  { job, runner, token, project, pipeline }: Offer & { project: Project; pipeline: Pipeline },
): Variable[] {
  const url = instance.baseUrl();
  const path = fullPathOf(instance, project);
  const { hostname, port, protocol } = new URL(url);
  const plain: Record<string, string> = {
    CI: 'true',
    GITLAB_CI: 'true',
    GIT_STRATEGY: 'none',
    GIT_CHECKOUT: 'false',
    CI_API_V4_URL: `${url}/api/v4`,
    CI_SERVER: 'yes',
    CI_SERVER_URL: url,
    CI_SERVER_HOST: hostname,
    CI_SERVER_PORT: port,
    CI_SERVER_PROTOCOL: protocol.replace(':', ''),
    CI_SERVER_NAME: 'GitLab',
    CI_JOB_ID: String(job.id),
    CI_JOB_NAME: job.name,
    CI_JOB_STAGE: job.stage,
    CI_JOB_URL: `${webUrlOf(instance, project)}/-/jobs/${job.id}`,
    CI_JOB_STARTED_AT: new Date(instance.now()).toISOString(),
    CI_PIPELINE_ID: String(pipeline.id),
    CI_PIPELINE_IID: String(pipeline.iid),
    CI_PIPELINE_SOURCE: pipeline.source,
    CI_PIPELINE_URL: `${webUrlOf(instance, project)}/-/pipelines/${pipeline.id}`,
    CI_COMMIT_SHA: pipeline.sha,
    CI_COMMIT_SHORT_SHA: pipeline.sha.slice(0, 8),
    CI_COMMIT_REF_NAME: job.ref,
    CI_COMMIT_BRANCH: job.ref,
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.name,
    CI_PROJECT_PATH: path,
    CI_PROJECT_NAMESPACE: path.split('/')[0] ?? '',
    CI_PROJECT_URL: webUrlOf(instance, project),
    CI_DEFAULT_BRANCH: project.branches[0] ?? 'main',
    CI_RUNNER_ID: String(runner.id),
    CI_RUNNER_DESCRIPTION: runner.description ?? '',
    CI_RUNNER_TAGS: JSON.stringify(runner.tags),
  };
  return [
    ...Object.entries(plain).map(([key, value]) => variable(key, value, { masked: false })),
    variable('CI_JOB_TOKEN', token, { masked: true }),
    variable('CI_REPOSITORY_URL', repositoryUrl(instance, { project, token }), { masked: false }),
    ...definedVariablesOf(instance, { job, project }),
  ];
}

/**
 * Returns variables of the project and group with the scope `*`: the jobs have no environment. A
 * project's variable takes precedence.
 */
function definedVariablesOf(
  instance: Instance,
  { job, project }: Pick<Offer, 'job'> & { project: Project },
): Variable[] {
  const isProtected = project.protectedBranches.includes(job.ref);
  return instance.state.variables
    .filter(({ owner: { kind, id } }) => id === (kind === 'project' ? project.id : project.groupId))
    .toSorted((a, b) => a.owner.kind.localeCompare(b.owner.kind))
    .filter((row) => row.environmentScope === '*' && (isProtected || !row.isProtected))
    .map(({ key, value, isMasked }) => ({
      ...variable(key, value, { masked: isMasked }),
      public: false,
    }));
}

function variable(key: string, value: string, { masked }: { masked: boolean }): Variable {
  const secret = masked || key === 'CI_REPOSITORY_URL';
  return { key, value, public: !secret, file: false, masked, raw: true };
}

function repositoryUrl(
  instance: Instance,
  { project, token }: { project: Project; token: string },
): string {
  const url = new URL(`${webUrlOf(instance, project)}.git`);
  url.username = 'gitlab-ci-token';
  url.password = token;
  return url.href;
}

function pipelineOf(instance: Instance, job: Job): Pipeline {
  const pipeline = instance.state.pipelines.find((row) => row.id === job.pipelineId);
  if (pipeline === undefined) throw new Error(`Job ${job.id} has no pipeline.`);
  return pipeline;
}
