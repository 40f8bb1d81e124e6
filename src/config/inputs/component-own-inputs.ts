import { runnerNamePattern } from '../../domain/keys/name-patterns.ts';
import { projectAddress, version } from '../../domain/project.ts';
import { checkedInput } from './input-checks.ts';
import type { TemplateInput } from './template-input.ts';

/** Project path for the `include` of the components and for the image. */
export const catalogProject = new URL(projectAddress).pathname.slice(1);

const image = '[A-Za-z0-9$_{}][A-Za-z0-9$_{}./:@-]{0,254}';
const period = '[1-9][0-9]{0,3} ?(?:m|h|d|minutes?|hours?|days?)';

/** Limited to plain names: it is interpolated into names of jobs and of the resource group. */
const runnerName: TemplateInput = {
  name: 'runner_name',
  type: 'string',
  description: 'Name of the stack in hosted-runners.yml.',
  regex: runnerNamePattern.source,
};

const runnerNames: TemplateInput = {
  name: 'runner_names',
  type: 'array',
  description: 'Names of the stacks in hosted-runners.yml. Each stack gets a job.',
};

const runnerTags: TemplateInput = {
  name: 'runner_tags',
  type: 'array',
  description:
    'Tags of the runner for the jobs. This runner must not belong to the deployed stack: it would drain itself.',
};

const approval: TemplateInput = {
  name: 'approval',
  type: 'boolean',
  default: false,
  description: 'Whether an operator must start hosted_runner_promote before the switch.',
};

/**
 * Input for the bake job: GitLab cannot read from the configuration whether a bake is configured.
 */
const bake = (description: string): TemplateInput => ({
  name: 'bake',
  type: 'boolean',
  default: false,
  description,
});

const canary: readonly TemplateInput[] = [
  {
    name: 'canary',
    type: 'boolean',
    default: true,
    description:
      'Whether the pipeline has a canary job. Must be false with canary.kind project or off.',
  },
  {
    name: 'canary_image',
    type: 'string',
    default: 'alpine:3.22',
    description:
      'Image of the canary job. It needs a shell, and the candidate must reach its registry.',
    regex: `^${image}$`,
  },
];

const environment: TemplateInput = {
  name: 'environment',
  type: 'string',
  default: 'hosted-runner',
  description:
    'Prefix of the environments (NAME): NAME/STACK for jobs that can switch shards, NAME/STACK/access for all others except the canary. Limit HOSTED_RUNNER_GITLAB_TOKEN to the environment scope NAME/*.',
  regex: '^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$',
};

const drainJobTimeout: TemplateInput = {
  name: 'drain_job_timeout',
  type: 'string',
  default: '6 hours',
  description:
    'Timeout of the jobs that drain. A longer drain ends with exit code 75, and a retry continues it.',
  regex: `^${period}(?: ${period})?$`,
};

const aws: readonly TemplateInput[] = [
  {
    ...checkedInput('aws_role_arn'),
    description:
      "Role that the jobs assume by OIDC. If empty, the runner's role or AWS variables apply.",
  },
  {
    name: 'aws_audience',
    type: 'string',
    default: 'sts.amazonaws.com',
    description: 'Audience of the ID token that the identity provider in AWS expects.',
    regex: '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$',
  },
  {
    ...checkedInput('aws_region'),
    description: 'AWS region. If empty, AWS_REGION applies.',
  },
];

export const deployInputs: readonly TemplateInput[] = [
  runnerName,
  ...shared({
    rules: [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"' }],
  }),
  approval,
  ...canary,
  bake(
    'Whether the pipeline has the job hosted_runner_bake, for configurations with bake.for. Without the job, finalize runs the bake.',
  ),
  drainJobTimeout,
  {
    ...given('again', 'HOSTED_RUNNER_AGAIN', 'a reason of one line'),
    description:
      'Reason, required to redeploy a rolled-back configuration. Better: set HOSTED_RUNNER_AGAIN for that pipeline only.',
  },
];

const scheduled = [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }];

export const forSchedule: readonly TemplateInput[] = [
  runnerNames,
  ...shared({ rules: scheduled }),
  bake(
    'Whether an unfinished bake causes only a warning. The next scheduled pipeline continues it.',
  ),
  drainJobTimeout,
];

export const forHealthcheck: readonly TemplateInput[] = [
  runnerNames,
  ...shared({ rules: scheduled }),
  {
    name: 'canary_evidence',
    type: 'string',
    default: 'off',
    description:
      'Whether the healthcheck of a candidate needs a canary: required, optional or "off" (in quotes, because GitLab reads off as false). An active shard never needs one.',
    regex: '^(?:required|optional|off)$',
    variable: 'HOSTED_RUNNER_HEALTHCHECK_EVIDENCE_CANARY',
  },
];

export const forRecovery: readonly TemplateInput[] = [
  runnerName,
  ...shared({ rules: [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }] }),
  drainJobTimeout,
  {
    name: 'shards',
    type: 'array',
    default: ['pink', 'purple'],
    description: 'Shards of the stack. Each shard gets a job hosted_runner_activate.',
  },
  {
    ...given('registration', 'HOSTED_RUNNER_REGISTRATION', 'id of a runner'),
    description:
      'For hosted_runner_activate: id of the runner, if its description is not SHARD-STACK.',
  },
  {
    ...given('address', 'HOSTED_RUNNER_ADDRESS', 'address of a resource'),
    description:
      'For hosted_runner_recover_replace: address of the resource. If empty, the manager is replaced.',
  },
  {
    ...given('instance', 'HOSTED_RUNNER_INSTANCE', 'id of an instance'),
    description:
      'For hosted_runner_recover_terminate: id of the instance, if several have the same name.',
  },
];

/** Argument of one command, which reads and checks it itself. */
function given(name: string, variable: string, expected: string) {
  return { name, type: 'string', default: '', expected, variable } as const;
}

function shared({ rules }: { rules: readonly { if: string }[] }): readonly TemplateInput[] {
  return [
    runnerTags,
    {
      name: 'rules',
      type: 'array',
      default: rules,
      description: 'Rules that add the jobs to a pipeline. Omit "when", because each job sets it.',
    },
    {
      name: 'stage',
      type: 'string',
      default: 'deploy',
      description: 'Stage of the jobs.',
      regex: '^[A-Za-z0-9_.][A-Za-z0-9_. -]{0,62}$',
    },
    {
      ...checkedInput('job_prefix'),
      description: 'Prefix of the job names. Required if a pipeline includes the template twice.',
    },
    {
      name: 'image',
      type: 'string',
      // The release writes the version here: `component.version` has a value only in the catalog.
      default: `$CI_REGISTRY/${catalogProject}:${version}-terraform`,
      description:
        'Image with hosted-runner on PATH and the programs of the infrastructure. The default contains Terraform, the suffix -tofu means OpenTofu, and no suffix means neither.',
      regex: `^${image}$`,
    },
    {
      name: 'config',
      type: 'string',
      default: 'hosted-runners.yml',
      description: 'Path of the configuration.',
      regex: '^[A-Za-z0-9_./@+-]{1,255}$',
      variable: 'HOSTED_RUNNER_CONFIG',
    },
    {
      name: 'job_timeout',
      type: 'string',
      default: '2 hours',
      description: 'Timeout of the jobs that do not drain.',
      regex: `^${period}(?: ${period})?$`,
    },
    environment,
    ...aws,
  ];
}
