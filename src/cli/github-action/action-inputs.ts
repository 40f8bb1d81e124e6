import { actionStages } from '../commands/command-table.ts';

/** An input of the action, and of the reusable workflow where that has a use for it. */
export interface ActionInput {
  readonly name: string;
  readonly description: string;
  /** Text that stands in where nothing is given; inputs that are keys leave that to the program. */
  readonly otherwise?: string;
  /** In words, for the reference only. */
  readonly usual?: string;
  readonly where: readonly ('action' | 'workflow')[];
  /** Absent: the variable HOSTED_RUNNER_ of its name. */
  readonly goesTo?:
    | { readonly kind: 'command' }
    /** `of`: no other command takes it. */
    | { readonly kind: 'flag'; readonly flag: string; readonly of?: string }
    | { readonly kind: 'switch'; readonly flag: string }
    /** Of another's name, and only where the environment does not have it. */
    | { readonly kind: 'variable'; readonly variable: string };
}

/**
 * Inputs that are no keys of the configuration: what the action's metadata, its reference and its reading
 * know of them.
 */
export const actionOwnInputs: readonly ActionInput[] = [
  {
    name: 'stage',
    description: `What to do: ${namesOfStages()}.`,
    otherwise: 'healthcheck',
    goesTo: { kind: 'command' },
    where: ['action'],
  },
  {
    name: 'runner_name',
    description: 'The stack, by its name in the configuration.',
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
      'GitLab token with scope api, from a secret; or the variable HOSTED_RUNNER_GITLAB_TOKEN.',
    usual: 'required, or the variable',
    where: ['action'],
  },
  {
    name: 'github_token',
    description:
      'Reads when workflow runs were created and whether they have ended; needs actions: read.',
    otherwise: `\${{ github.token }}`,
    goesTo: { kind: 'variable', variable: 'GITHUB_TOKEN' },
    where: ['action'],
  },
  {
    name: 'aws_role',
    description:
      'ARN of the role that the action takes by OIDC, and takes again as long as the job runs; needs id-token: write. Its region is AWS_REGION.',
    usual: 'the credentials of the runner, or of a step before',
    where: ['action'],
  },
  {
    name: 'aws_role_duration_seconds',
    description:
      "How long the role's credentials last each time; at most its own maximum session duration. What is applied has at least half of it.",
    usual: '3600',
    where: ['action'],
  },
  {
    name: 'until',
    description:
      'With stage provision: healthy stops before the switch, because an approval comes first.',
    usual: 'promoted',
    goesTo: { kind: 'flag', flag: '--until', of: 'provision' },
    where: ['action'],
  },
  {
    name: 'deployment',
    description: "The deployment's id, where it is not this workflow run's.",
    usual: 'owner/repository-run id',
    where: ['action'],
  },
  {
    name: 'again',
    description:
      'Why what was taken back is deployed again: one line, for the stages prepare and deploy.',
    usual: 'none; it is refused',
    where: ['action', 'workflow'],
  },
  {
    name: 'take_lock',
    description: "true says: I have made sure that the lock's owner no longer runs.",
    otherwise: 'false',
    goesTo: { kind: 'switch', flag: '--take-lock' },
    where: ['action'],
  },
  {
    name: 'verbose',
    description: 'true prints a line for each call, look and judgement, too.',
    otherwise: 'false',
    goesTo: { kind: 'switch', flag: '--verbose' },
    where: ['action'],
  },
  {
    name: 'job_timeout',
    description:
      "The job's timeout-minutes as a duration such as 350m. A minute before its end a drain stops with exit code 75 and can be run again.",
    usual: 'none; the drain is then cut off by GitHub',
    where: ['action'],
  },
  {
    name: 'job_started_at',
    description: 'When the job began (ISO 8601), where this is not its first step.',
    usual: 'now',
    where: ['action'],
  },
  {
    name: 'report_dir',
    description:
      'Folder for junit.xml, timeline.html, annotations.json, deployment.env and evidence.jsonl.',
    usual: 'none are written',
    where: ['action'],
  },
];

function namesOfStages(): string {
  const notes: Readonly<Record<string, string>> = {
    deploy: ' (all of them)',
    renew: ' (a token of GitHub)',
  };
  const names = actionStages.map((name) => `${name}${notes[name] ?? ''}`);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
