import { checkedInput } from '../../src/config/inputs/input-checks.ts';
import type { TemplateInput } from '../../src/config/inputs/template-input.ts';
import { runnerNamePattern } from '../../src/domain/keys/name-patterns.ts';
import { projectAddress, version } from '../../src/domain/project.ts';

/** The `include` of the components and the image come from the project that publishes all the rest. */
export const catalogProject = new URL(projectAddress).pathname.slice(1);

const image = '[A-Za-z0-9$_{}][A-Za-z0-9$_{}./:@-]{0,254}';
const period = '[1-9][0-9]{0,3} ?(?:m|h|d|minutes?|hours?|days?)';

/** Interpolated into names of jobs and of the resource group, so nothing but plain names. */
const runnerName: TemplateInput = {
  name: 'runner_name',
  type: 'string',
  description: 'The stack, as hosted-runners.yml names it.',
  regex: runnerNamePattern.source,
};

const runnerNames: TemplateInput = {
  name: 'runner_names',
  type: 'array',
  description: 'The stacks, as hosted-runners.yml names them; one job for each.',
};

const runnerTags: TemplateInput = {
  name: 'runner_tags',
  type: 'array',
  description:
    'Tags of the runner that the jobs run on. Not one of the stack that is deployed, or it would drain itself.',
};

const approval: TemplateInput = {
  name: 'approval',
  type: 'boolean',
  default: false,
  description: 'Whether a person has to press hosted_runner_promote before the switch.',
};

/** Whether there is a bake stands in the configuration, which GitLab does not read. */
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
    description: 'Whether the pipeline has a canary job. False with canary.kind project or off.',
  },
  {
    name: 'canary_image',
    type: 'string',
    default: 'alpine:3.22',
    description: 'Image of the canary job; anything with a shell that the candidate can pull.',
    regex: `^${image}$`,
  },
];

const environment: TemplateInput = {
  name: 'environment',
  type: 'string',
  default: 'hosted-runner',
  description:
    "Environment of the jobs that switch: a slash and the stack are appended, and /access for every other job but the canary. Environment scope of the token's variable: this input, then /*.",
  regex: '^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$',
};

const drainJobTimeout: TemplateInput = {
  name: 'drain_job_timeout',
  type: 'string',
  default: '6 hours',
  description:
    'Timeout of the jobs that drain. A longer drain ends with 75 and goes on in the next try.',
  regex: `^${period}(?: ${period})?$`,
};

const aws: readonly TemplateInput[] = [
  {
    ...checkedInput('aws_role_arn'),
    description:
      "Role that the jobs take on by OIDC. Empty: the runner's own role, or what AWS variables say.",
  },
  {
    name: 'aws_audience',
    type: 'string',
    default: 'sts.amazonaws.com',
    description: 'Audience of the ID token, as the identity provider in AWS expects it.',
    regex: '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$',
  },
  {
    ...checkedInput('aws_region'),
    description: 'Region. Empty: what AWS_REGION says.',
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
    'Whether the pipeline has hosted_runner_bake, because bake.for is given in the configuration. Without that job finalize does its work.',
  ),
  drainJobTimeout,
  {
    ...given('again', 'HOSTED_RUNNER_AGAIN', 'a reason of one line'),
    description:
      'Why what was taken back is deployed again. Empty: it is refused. Better given as the variable HOSTED_RUNNER_AGAIN of one pipeline.',
  },
];

const scheduled = [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }];

export const forSchedule: readonly TemplateInput[] = [
  runnerNames,
  ...shared({ rules: scheduled }),
  bake(
    'Whether a bake that is not over yet is no failure, because the next schedule goes on with it.',
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
      'Whether the healthcheck needs a canary: required, optional or "off", in quotes, as GitLab reads a bare off as false. An active shard takes none.',
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
    description: "The stack's shards; hosted_runner_activate is one job for each.",
  },
  {
    ...given('registration', 'HOSTED_RUNNER_REGISTRATION', 'id of a runner'),
    description:
      'For hosted_runner_activate: id of the runner, where it does not have the description of the shard.',
  },
  {
    ...given('address', 'HOSTED_RUNNER_ADDRESS', 'address of a resource'),
    description:
      'For hosted_runner_recover_replace: another resource than the manager. Empty: the manager.',
  },
  {
    ...given('instance', 'HOSTED_RUNNER_INSTANCE', 'id of an instance'),
    description:
      'For hosted_runner_recover_terminate: id of the instance, where several have its name.',
  },
];

/** An argument of one command, which reads and refuses it itself. */
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
      description:
        'When the jobs are part of a pipeline. Rules without "when": each job has its own.',
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
      description: 'In front of the names of the jobs; needed for a second stack in one pipeline.',
    },
    {
      name: 'image',
      type: 'string',
      // Written down by the release: `component.version` has a value in the catalog alone.
      default: `$CI_REGISTRY/${catalogProject}:${version}-terraform`,
      description:
        'Image with hosted-runner on PATH, and with what the infrastructure needs. By default the one with Terraform that was released with this template, in the registry of the same project; the same without -terraform has neither, with -tofu it has OpenTofu.',
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
