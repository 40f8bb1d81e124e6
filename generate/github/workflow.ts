import { listActionInputs } from '../../src/cli/github-action/input-list.ts';
import {
  actionToken,
  listWorkflowInputs,
  type WorkflowInput,
  workflowSecrets,
} from '../../src/cli/github-action/workflow-inputs.ts';
import type { ActionOutput } from './action-metadata.ts';
import { describeInput } from './input-description.ts';
import { type WorkflowJob, workflowJobs } from './workflow-jobs.ts';

/**
 * Renders .github/workflows/hosted-runner-deploy.yml. It is generated because GitHub cannot share
 * steps between jobs, and a difference between two jobs would be a bug.
 */
export function renderWorkflow(outputs: readonly ActionOutput[]): string {
  return [
    head,
    '    inputs:\n',
    ...listWorkflowInputs().map(renderInput),
    '    secrets:\n',
    ...[...workflowSecrets, actionToken].map(
      ({ name, description }) =>
        `      ${name}:\n        description: ${JSON.stringify(description)}\n        required: false\n`,
    ),
    '    outputs:\n',
    ...outputs.map(renderOutput),
    body(),
    'jobs:\n',
    workflowJobs.map((job) => renderJob(job, outputs)).join('\n'),
  ].join('');
}

const head = `# Generated from src/config by \`npm run generate\`; edits here are lost.
# Usage: docs/use/github.md. Tests: test/workflow.
name: hosted-runner-deploy
on:
  workflow_call:
`;

function body(): string {
  const keys = listActionInputs().filter(({ where }) => where.includes('workflow'));
  const variables = keys
    .filter(({ name }) => name !== 'config')
    .map(({ name }) => `  HOSTED_RUNNER_${name.toUpperCase()}: \${{ inputs.${name} }}\n`);
  return `
# Permissions that the caller has to grant.
permissions:
  contents: read # the configuration and the infrastructure of the calling repository
  actions: read # creation time of workflow runs, and whether they have ended
  id-token: write # AWS credentials by OIDC

# Queues the runs of one stack. The lock in Parameter Store is the guard.
concurrency:
  group: hosted-runner/\${{ inputs.runner_name }}
  cancel-in-progress: false

# hosted-runner ignores empty variables.
env:
  HOSTED_RUNNER_CONFIG: \${{ inputs.config }}
  HOSTED_RUNNER_RUNNER_NAME: \${{ inputs.runner_name }}
  HOSTED_RUNNER_JOB_TIMEOUT: \${{ inputs.timeout_minutes }}m
  HOSTED_RUNNER_REPORT_DIR: hosted-runner-report
  AWS_REGION: \${{ inputs.aws_region }}
${variables.join('')}
`;
}

function renderInput({ name, type, required, otherwise = '', ...input }: WorkflowInput): string {
  const value = type !== 'string' ? otherwise : JSON.stringify(otherwise);
  const lines = [
    `      ${name}:`,
    `        description: ${JSON.stringify(describeInput(input))}`,
    `        type: ${type}`,
    required === true ? '        required: true' : `        default: ${value}`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Renders an output from the last job that can know it, back to the first one that always runs.
 */
function renderOutput({ name, description }: ActionOutput): string {
  const knowing = [...workflowJobs].reverse().map(({ id }) => `jobs.${id}.outputs.${name}`);
  return `      ${name}:
        description: ${JSON.stringify(description)}
        value: >-
          \${{ ${knowing.join('\n          || ')} }}
`;
}

function renderJob(
  { id, stage, needs, condition, approval, mayFail }: WorkflowJob,
  outputs: readonly ActionOutput[],
): string {
  return [
    `  ${id}:\n`,
    ...(needs.length === 0 ? [] : [`    needs: [${needs.join(', ')}]\n`]),
    ...(condition === undefined
      ? []
      : [`    if: >-\n      \${{ ${condition.join('\n      ')} }}\n`]),
    `    runs-on: ${expression('fromJSON(inputs.runs_on)')}\n`,
    `    timeout-minutes: ${expression('inputs.timeout_minutes')}\n`,
    ...(approval ? [`    environment: ${expression('inputs.approval_environment')}\n`] : []),
    ...(mayFail ? ['    continue-on-error: true # finalize finishes the rest\n'] : []),
    '    outputs:\n',
    ...outputs.map(({ name }) => `      ${name}: \${{ steps.stage.outputs.${name} }}\n`),
    steps(stage),
  ].join('');
}

function steps(stage: WorkflowJob['stage']): string {
  const until =
    stage === 'provision'
      ? `          until: ${expression("inputs.approval_environment != '' && 'healthy' || 'promoted'")}\n`
      : '';
  return `    steps:
      - name: Store the start time of the job
        shell: bash
        run: echo "HOSTED_RUNNER_JOB_STARTED_AT=$(date -u +%Y-%m-%dT%H:%M:%SZ)" >> "$GITHUB_ENV"
      # Without these values, the checkout below would use the caller's repository.
      - name: Refuse a server that does not identify this workflow
        if: \${{ job.workflow_sha == '' || job.workflow_repository == '' }}
        shell: bash
        run: |
          echo "::error title=hosted-runner-deploy::This server does not set job.workflow_sha and job.workflow_repository (GitHub Enterprise Server), so the commit of this workflow is unknown. Copy the action into your own repository and call it in your own jobs: docs/use/github.md, The action alone."
          exit 2
      - uses: ${pinned.checkout}
        with:
          persist-credentials: false
      # Checks out the action at the commit of this workflow, independently of the caller's ref.
      - id: action
        continue-on-error: true # the next step reports the reason
        uses: ${pinned.checkout}
        with:
          repository: \${{ job.workflow_repository }}
          ref: \${{ job.workflow_sha }}
          token: \${{ secrets.${actionToken.name} || github.token }}
          path: .hosted-runner-deploy
          persist-credentials: false
      - name: Refuse a repository that cannot be read
        if: \${{ steps.action.outcome != 'success' }}
        shell: bash
        env:
          REPOSITORY: \${{ job.workflow_repository }}
        run: |
          echo "::error title=hosted-runner-deploy::The repository of this workflow, $REPOSITORY, could not be checked out. If it is private or internal, the token of the calling repository may not read it. Set the secret ${actionToken.name} to a token with contents: read there: docs/use/github.md, A private repository."
          exit 2
      - uses: ${pinned.terraform}
        if: \${{ inputs.terraform_version != '' }}
        with:
          terraform_version: \${{ inputs.terraform_version }}
          terraform_wrapper: false # hosted-runner reads its exit codes and streams
      - id: stage
        uses: ./.hosted-runner-deploy
        with:
          stage: ${stage}
          aws_role: \${{ inputs.aws_role }}
          aws_role_duration_seconds: \${{ inputs.aws_role_duration_seconds }}
${until}        env:
${secrets}      - uses: ${pinned.upload}
        if: \${{ always() }}
        with:
          name: \${{ github.job }}-\${{ inputs.runner_name }}-\${{ github.run_attempt }}
          path: hosted-runner-report
          if-no-files-found: ignore
          retention-days: 30 # reports name projects, jobs and users
`;
}

const secrets = workflowSecrets
  .map(({ name, variable }) => `          ${variable}: ${expression(`secrets.${name}`)}\n`)
  .join('');

/** Actions pinned by digest; docs/use/github.md explains how to find them. */
const pinned = {
  checkout: 'actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2',
  terraform: 'hashicorp/setup-terraform@dfe3c3f87815947d99a8997f908cb6525fc44e9e # v4.0.1',
  upload: 'actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0',
} as const;

function expression(text: string): string {
  return `\${{ ${text} }}`;
}
