import {
  isRetirement,
  type StageName,
  stageNames,
} from '../../../src/domain/deployment/stages-and-steps.ts';
import { invalid } from '../answers/refusal.ts';
import type { Features } from '../answers/versions.ts';
import type { Instance } from '../instance.ts';
import { CANARY_PROJECT, RUNNERS_PROJECT } from '../seed.ts';
import type { Project } from '../state.ts';

/** Definition of a job in a new pipeline. */
export interface JobDefinition {
  name: string;
  stage: string;
  tags: string[];
  script: string[];
  external: boolean;
  allowFailure: boolean;
  resourceGroup: string | null;
}

const CANARY = 'hosted_runner_canary';
const UNGIVEN_TAG = 'canary-without-input';
/** Stages of the product's GitLab template whose jobs exist only with an input. */
const STAGE_INPUTS: Readonly<Record<string, string>> = { promote: 'approval', bake: 'bake' };

/** Returns the jobs of `.gitlab-ci.yml` in the two projects that have one. */
export function definePipeline({
  project,
  iid,
  inputs,
  features,
}: {
  project: Project;
  iid: number;
  inputs: Record<string, unknown>;
  features: Features;
}): JobDefinition[] {
  if (project.id === RUNNERS_PROJECT) return defineDeployment({ project, iid, inputs });
  if (project.id === CANARY_PROJECT) {
    // Without support for inputs, the pipeline is created with a tag that no runner has.
    return defineCanary(features.pipelineInputs ? inputs : { tag: UNGIVEN_TAG, ...inputs });
  }
  throw invalid({ base: ['Missing CI config file'] });
}

function defineDeployment({
  project,
  iid,
  inputs,
}: {
  project: Project;
  iid: number;
  inputs: Record<string, unknown>;
}): JobDefinition[] {
  refuseUnknownInputs(inputs, ['runner_name', 'approval', 'bake', 'job_prefix']);
  const stages = stageNames.filter((stage) => {
    const input = STAGE_INPUTS[stage];
    return input === undefined || inputs[input] === true;
  });
  const given = inputs['runner_name'] ?? 'linux';
  const names = String(given)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) {
    throw invalid({ base: ['`runner_name` input: required value has not been provided.'] });
  }
  return names.flatMap((runnerName) => {
    const suffix = names.length > 1 ? `: [${runnerName}]` : '';
    // With `job_prefix: true`, names are those of two components in one file, otherwise those of a
    // matrix.
    const nameOf = (job: string) =>
      inputs['job_prefix'] === true ? `${runnerName}:${job}` : `${job}${suffix}`;
    return [
      ...stages.map((stage) =>
        stageJob({ name: nameOf(`hosted_runner_${stage}`), stage, runnerName }),
      ),
      canaryJob({ name: nameOf(CANARY), tag: `canary-${project.id}-${iid}-${runnerName}` }),
    ];
  });
}

function defineCanary(inputs: Record<string, unknown>): JobDefinition[] {
  refuseUnknownInputs(inputs, ['tag']);
  const tag = inputs['tag'];
  if (tag === undefined || tag === '') {
    throw invalid({ base: ['`tag` input: required value has not been provided.'] });
  }
  if (typeof tag !== 'string') {
    throw invalid({ base: ['`tag` input: provided value is not a string.'] });
  }
  return [canaryJob({ name: CANARY, tag })];
}

function stageJob({
  name,
  stage,
  runnerName,
}: {
  name: string;
  stage: StageName;
  runnerName: string;
}): JobDefinition {
  return {
    name,
    stage,
    tags: ['operations'],
    script: [`hosted-runner ${stage} --runner ${runnerName}`],
    external: true,
    // As in the product's GitLab template, these jobs must not block `finalize`.
    allowFailure: isRetirement(stage) && stage !== 'finalize',
    // An operator's rollback must not wait for a bake.
    resourceGroup: stage === 'bake' ? null : `hosted-runner/${runnerName}`,
  };
}

/**
 * Returns shell text that names the set variables, as in the product's template. The canary reports
 * these, because its host must get no token of the deployment.
 */
const named = (names: readonly string[]) => names.map((name) => `\${${name}:+${name}}`).join(' ');
const own = [
  'HOSTED_RUNNER_GITLAB_TOKEN',
  'HOSTED_RUNNER_GITHUB_TOKEN',
  'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
  'HOSTED_RUNNER_PROMETHEUS_TOKEN',
  'HOSTED_RUNNER_WEBHOOK_TOKEN',
];
const noSecret = [
  `has="${named(own)}"`,
  `for name in $has ${named(['GITLAB_TOKEN', 'AWS_SECRET_ACCESS_KEY'])}; do`,
  '  printf \'hosted_runner_canary_%s:%s\\n\' has "$name"',
  'done',
  'for name in $has; do',
  '  echo "This job has $name."',
  '  exit 1',
  'done',
].join('\n');

function canaryJob({ name, tag }: { name: string; tag: string }): JobDefinition {
  return {
    name,
    stage: 'canary',
    tags: [tag],
    script: [noSecret, 'echo "canary of $CI_RUNNER_DESCRIPTION"', 'echo "job $CI_JOB_ID"'],
    external: false,
    allowFailure: true,
    resourceGroup: null,
  };
}

function refuseUnknownInputs(inputs: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(inputs).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalid({
    base: [
      `Given inputs not defined in the \`spec\` section of the included configuration file: ${unknown.join(', ')}.`,
    ],
  });
}

/**
 * Creates the resource groups, as GitLab does on first use. Jobs of a group run one after another.
 */
export function ensureResourceGroups(
  instance: Instance,
  { id: projectId, settings }: Project,
  keys: string[],
): void {
  for (const key of new Set(keys)) {
    const known = instance.state.resourceGroups.some(
      (group) => group.projectId === projectId && group.key === key,
    );
    if (known) continue;
    const now = instance.now();
    instance.state.resourceGroups.push({
      id: instance.state.resourceGroups.length + 1,
      projectId,
      key,
      processMode: instance.features.defaultProcessModes ? settings.processMode : 'unordered',
      createdAt: now,
      updatedAt: now,
    });
  }
}
