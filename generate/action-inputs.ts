import { z } from 'zod';
import { type Leaf, type LeafName, listLeaves } from '../src/config/keys/leaf.ts';
import { addresses } from '../src/config/rules/authority.ts';

/** An input of the action, and of the reusable workflow where that has a use for it. */
export interface ActionInput {
  readonly name: string;
  readonly description: string;
  /** Text that stands in where nothing is given; inputs of the schema leave that to the program. */
  readonly otherwise?: string;
  /** In words, for the reference only. */
  readonly usual?: string;
  readonly where: readonly ('action' | 'workflow')[];
}

/** Inputs that are no keys of the configuration. */
const own: readonly ActionInput[] = [
  {
    name: 'stage',
    description:
      'What to do: prepare, onboard, provision, promote, healthcheck, shutdown, cleanup, finalize, deploy (all of them) or renew (a token of GitHub).',
    otherwise: 'healthcheck',
    where: ['action'],
  },
  {
    name: 'runner',
    description: 'The stack, by its runner_name in the configuration.',
    usual: 'required, or HOSTED_RUNNER_RUNNER_NAME',
    where: ['action'],
  },
  {
    name: 'config',
    description: 'Path of the configuration in the workspace.',
    usual: 'hosted-runners.yml',
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
    where: ['action'],
  },
  {
    name: 'until',
    description:
      'With stage provision: healthy stops before the switch, because an approval comes first.',
    usual: 'promoted',
    where: ['action'],
  },
  {
    name: 'deployment',
    description: "The deployment's id, where it is not this workflow run's.",
    usual: 'owner/repository-run id',
    where: ['action'],
  },
  {
    name: 'take_lock',
    description: "true says: I have made sure that the lock's owner no longer runs.",
    otherwise: 'false',
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

export function listActionInputs(): readonly ActionInput[] {
  const keys = listLeaves().filter(({ facts }) => facts.faces.includes('action'));
  return [...own, ...keys.map(fromLeaf)];
}

function authorityOf(name: LeafName): string {
  return addresses.includes(name)
    ? 'may repeat the file and say nothing else, because a token goes there.'
    : 'goes before the file, unless the file locks the key.';
}

function fromLeaf({ path, facts, schema, name }: Leaf): ActionInput {
  const { default: value } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  const usual = value === undefined ? facts.otherwise : String(value);
  return {
    name: path.join('_'),
    description: `${facts.description} The key ${name}; ${authorityOf(name)}`,
    ...(usual === undefined ? {} : { usual }),
    where: ['action', 'workflow'],
  };
}
