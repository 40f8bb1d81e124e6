import { actionStages } from '../commands/command-table.ts';

/** Input of the action, and of the reusable workflow if that needs it. */
export interface ActionInput {
  readonly name: string;
  readonly description: string;
  /** Default text. Inputs that are configuration keys get their default from the program. */
  readonly otherwise?: string;
  /** Description of the default, for the reference only. */
  readonly usual?: string;
  readonly where: readonly ('action' | 'workflow')[];
  /** Target of the input; by default, the variable HOSTED_RUNNER_ with its name. */
  readonly goesTo?:
    | { readonly kind: 'command' }
    /** `of`: the only command that accepts the flag. */
    | { readonly kind: 'flag'; readonly flag: string; readonly of?: string }
    | { readonly kind: 'switch'; readonly flag: string }
    /** Variable with another name, set only if the environment does not contain it. */
    | { readonly kind: 'variable'; readonly variable: string };
}

/** Inputs that are no configuration keys, for the action's metadata, reference and code. */
export const actionOwnInputs: readonly ActionInput[] = [
  {
    name: 'stage',
    description: `The stage to run: ${namesOfStages()}.`,
    otherwise: 'healthcheck',
    goesTo: { kind: 'command' },
    where: ['action'],
  },
  {
    name: 'runner_name',
    description: 'Name of the stack in the configuration.',
    usual: 'required, or HOSTED_RUNNER_RUNNER_NAME',
    goesTo: { kind: 'flag', flag: '--runner' },
    where: ['action'],
  },
  {
    name: 'config',
    description: 'Path of the configuration in the workspace.',
    usual: 'hosted-runners.yml',
    goesTo: { kind: 'flag', flag: '--config' },
    where: ['action', 'workflow'],
  },
  {
    name: 'gitlab_token',
    description:
      'GitLab token with scope api, from a secret. Alternative: the variable HOSTED_RUNNER_GITLAB_TOKEN.',
    usual: 'required, or the variable',
    where: ['action'],
  },
  {
    name: 'github_token',
    description:
      'Token that reads the creation time and state of workflow runs. Needs actions: read.',
    otherwise: `\${{ github.token }}`,
    goesTo: { kind: 'variable', variable: 'GITHUB_TOKEN' },
    where: ['action'],
  },
  {
    name: 'aws_role',
    description:
      'ARN of the role that the action assumes by OIDC and renews while the job runs. Needs id-token: write and AWS_REGION.',
    usual: 'the credentials of the runner, or of an earlier step',
    where: ['action'],
  },
  {
    name: 'aws_role_duration_seconds',
    description:
      "Lifetime of the role's credentials, at most the role's maximum session duration. When an apply starts, at least half of this lifetime is left.",
    usual: '3600',
    where: ['action'],
  },
  {
    name: 'until',
    description: 'With stage: provision, until: healthy stops before the switch, for an approval.',
    usual: 'promoted',
    goesTo: { kind: 'flag', flag: '--until', of: 'provision' },
    where: ['action'],
  },
  {
    name: 'deployment',
    description: "The deployment's id, if it differs from the id of this workflow run.",
    usual: 'OWNER/REPOSITORY-RUN_ID',
    where: ['action'],
  },
  {
    name: 'again',
    description:
      'Reason (one line) to redeploy a rolled-back configuration, which is otherwise refused. For the stages prepare and deploy.',
    usual: 'none',
    where: ['action', 'workflow'],
  },
  {
    name: 'take_lock',
    description:
      "true takes over another run's lock. First make sure that the other run has ended.",
    otherwise: 'false',
    goesTo: { kind: 'switch', flag: '--take-lock' },
    where: ['action'],
  },
  {
    name: 'verbose',
    description: 'true also prints each call, check and verdict.',
    otherwise: 'false',
    goesTo: { kind: 'switch', flag: '--verbose' },
    where: ['action'],
  },
  {
    name: 'job_timeout',
    description:
      "The job's timeout-minutes as a duration such as 350m. One minute before that limit, a drain stops with exit code 75 and can be run again.",
    usual: 'none; GitHub then ends the job during the drain',
    where: ['action'],
  },
  {
    name: 'job_started_at',
    description: 'Start of the job (ISO 8601), if the action is not its first step.',
    usual: 'now',
    where: ['action'],
  },
  {
    name: 'report_dir',
    description:
      'Folder for junit.xml, timeline.html, annotations.json, deployment.env and evidence.jsonl.',
    usual: 'none; no files are written',
    where: ['action'],
  },
];

function namesOfStages(): string {
  const notes: Readonly<Record<string, string>> = {
    deploy: ' (all of these)',
    renew: ' (a token for GitHub runners)',
  };
  const names = actionStages.map((name) => `${name}${notes[name] ?? ''}`);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
