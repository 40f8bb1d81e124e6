import type { DeploymentId } from '../../domain/shard.ts';
import { runUnknown } from '../../errors/run-errors.ts';
import type { Run } from '../../ports/run.ts';
import { type CiEnvironment, readVariables, shapes } from './ci-variables.ts';
import { normalMoment, parseMoment } from './moment.ts';

function setByGitLab(variable: string): string {
  return `If a pipeline, schedule, project or group defines ${variable}, remove that variable: GitLab sets it.`;
}

/** https://docs.gitlab.com/ci/variables/predefined_variables/ */
export function readGitLabRun(environment: CiEnvironment): Run {
  const variables = readVariables(environment, setByGitLab);
  const project = variables.read('CI_PROJECT_ID', shapes.number);
  const pipeline = variables.read('CI_PIPELINE_ID', shapes.number);
  const createdAt = variables.read('CI_PIPELINE_CREATED_AT', shapes.moment);
  const jobId = variables.read('CI_JOB_ID', shapes.number);
  const pipelineUrl = variables.show('CI_PIPELINE_URL', shapes.url);
  const commit = variables.show('CI_COMMIT_SHA', shapes.commit);
  const by = variables.show('GITLAB_USER_LOGIN', shapes.name) ?? 'unknown';
  const ownRegistration = variables.find('CI_RUNNER_ID', shapes.number);
  const startedAt = variables.find('CI_JOB_STARTED_AT', shapes.moment);
  const timeout = variables.find('CI_JOB_TIMEOUT', shapes.number);
  const deadline = deadlineOf(startedAt, timeout);
  const { problems } = variables;
  if (problems.length > 0) throw runUnknown({ ci: 'gitlab', problems });
  return {
    ci: 'gitlab',
    deploymentId: `${project}-${pipeline}` as DeploymentId,
    pipelineCreatedAt: normalMoment(createdAt),
    ...(pipelineUrl === undefined ? {} : { pipelineUrl }),
    ...(commit === undefined ? {} : { commit }),
    jobId,
    by,
    ...(ownRegistration === undefined ? {} : { ownRegistrationId: ownRegistration }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(timeout === undefined ? {} : { timeLimitMs: Number(timeout) * 1000 }),
  };
}

/** Numbers of the pipeline that this job belongs to. The canary's tag contains two of them. */
export interface GitLabPipeline {
  readonly projectId: number;
  readonly pipelineId: number;
  /** Number of the pipeline within the project. */
  readonly pipelineIid: number;
}

export function readGitLabPipeline(environment: CiEnvironment): GitLabPipeline {
  const variables = readVariables(environment, setByGitLab);
  const projectId = Number(variables.read('CI_PROJECT_ID', shapes.number));
  const pipelineId = Number(variables.read('CI_PIPELINE_ID', shapes.number));
  const pipelineIid = Number(variables.read('CI_PIPELINE_IID', shapes.number));
  const { problems } = variables;
  if (problems.length > 0) throw runUnknown({ ci: 'gitlab', problems });
  return { projectId, pipelineId, pipelineIid };
}

function deadlineOf(
  startedAt: string | undefined,
  timeoutSeconds: string | undefined,
): number | undefined {
  const start = parseMoment(startedAt ?? '');
  return start === undefined || timeoutSeconds === undefined
    ? undefined
    : start + Number(timeoutSeconds) * 1000;
}
