import type { DeploymentId } from '../../../domain/shard.ts';
import { parseDuration } from '../../../domain/text/duration.ts';
import { runUnknown, runUnreadable } from '../../../errors/run-errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { Run } from '../../../ports/run.ts';
import { type CiEnvironment, correct, readVariables, type Shape, shapes } from '../ci-variables.ts';
import { normalMoment, parseMoment } from '../moment.ts';

/**
 * Reads the run's creation time, which GitHub does not put into the environment: `created_at` of
 * the API. Rejects with a PortFailure.
 */
export type ReadCreation = (run: {
  readonly repository: string;
  readonly runId: string;
}) => Promise<string | null | undefined>;

const duration: Shape = {
  accepts: (text) => parseDuration(text) !== undefined,
  expected: 'a duration such as 6h',
};

/** Range that STS accepts. The role's own maximum may be lower. */
const roleSeconds: Shape = {
  accepts: (text) => /^[1-9]\d{2,4}$/.test(text) && Number(text) >= 900 && Number(text) <= 43_200,
  expected: 'seconds, from 900 to 43200',
};

const roleArn: Shape = {
  accepts: (text) => /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/.test(text),
  expected: 'the ARN of a role, such as arn:aws:iam::123456789012:role/deployer',
};

function setByGitHub(variable: string): string {
  return `GitHub sets ${variable} itself: remove ${variable} from "env" of the workflow, the job and the step, and from the runner's own environment.`;
}

const renameRunner =
  'Rename the runner that RUNNER_NAME names: letters, digits, spaces and _.@()[]- only.';

const giveCreation =
  'Give the run\'s creation time: HOSTED_RUNNER_PIPELINE_CREATED_AT="$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" --jq .created_at)"';

/** https://docs.github.com/actions/reference/workflows-and-actions/variables */
export async function readGitHubRun({
  environment,
  clock,
  readCreation,
}: {
  environment: CiEnvironment;
  clock: Clock;
  readCreation: ReadCreation;
}): Promise<Run> {
  const variables = readVariables(environment, setByGitHub);
  const findOwnRun = (variable: string, shape: Shape) =>
    variables.find(variable, shape, correct(variable, shape));
  const repository = variables.read('GITHUB_REPOSITORY', shapes.repository);
  const runId = variables.read('GITHUB_RUN_ID', shapes.number);
  const attempt = variables.read('GITHUB_RUN_ATTEMPT', shapes.number);
  const job = variables.read('GITHUB_JOB', shapes.id);
  const commit = variables.show('GITHUB_SHA', shapes.commit);
  const by = variables.show('GITHUB_ACTOR', shapes.name) ?? 'unknown';
  const runner = variables.find('RUNNER_NAME', shapes.name, renameRunner);
  const server = variables.show('GITHUB_SERVER_URL', shapes.url);
  // The creation time of the run is read from this API.
  variables.find('GITHUB_API_URL', shapes.url);
  const timeout = findOwnRun('HOSTED_RUNNER_JOB_TIMEOUT', duration);
  const startedAt = findOwnRun('HOSTED_RUNNER_JOB_STARTED_AT', shapes.moment);
  const given = variables.find('HOSTED_RUNNER_PIPELINE_CREATED_AT', shapes.moment, giveCreation);
  findOwnRun('HOSTED_RUNNER_AWS_ROLE', roleArn);
  findOwnRun('HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS', roleSeconds);
  const own = /^(.+)-i-[0-9a-f]{8,17}(?:-\d{1,3})?$/.exec(runner ?? '')?.[1];
  const { problems } = variables;
  const timeLimitMs = parseDuration(timeout ?? '');
  if (problems.length > 0) throw runUnknown({ ci: 'github', problems });
  return {
    ci: 'github',
    // A second attempt is the same run, so it belongs to the same deployment.
    deploymentId: `${repository}-${runId}` as DeploymentId,
    pipelineCreatedAt:
      given === undefined
        ? await creationOf(`${repository}/actions/runs/${runId}`, () =>
            readCreation({ repository, runId }),
          )
        : normalMoment(given),
    ...(server === undefined
      ? {}
      : { pipelineUrl: `${server.replace(/\/$/, '')}/${repository}/actions/runs/${runId}` }),
    ...(commit === undefined ? {} : { commit }),
    // Jobs of a matrix share GITHUB_JOB; the runner distinguishes them.
    jobId: [runId, attempt, job, ...(runner === undefined ? [] : [runner])].join('/'),
    by,
    ...(own === undefined ? {} : { ownRegistrationId: own }),
    ...(timeLimitMs === undefined
      ? {}
      : {
          // Without the job's start, the limit counts from the start of this step.
          deadline: (parseMoment(startedAt ?? '') ?? clock.now()) + timeLimitMs,
          timeLimitMs,
        }),
  };
}

async function creationOf(
  run: string,
  read: () => Promise<string | null | undefined>,
): Promise<string> {
  const createdAt = await read().catch((error: unknown) => {
    if (!isPortFailure(error)) throw error;
    throw runUnreadable({ run, reason: error.message });
  });
  if (parseMoment(createdAt ?? '') === undefined)
    throw runUnreadable({ run, reason: 'Its response has no created_at.' });
  return normalMoment(createdAt ?? '');
}
