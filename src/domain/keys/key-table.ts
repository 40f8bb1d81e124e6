import { gitlabUrl } from './gitlab-url.ts';
import { type Key, key, listKeys, type ValueOf } from './key.ts';
import { shardPattern } from './name-patterns.ts';
import { awsKeys } from './sections/aws-keys.ts';
import { bakeKeys } from './sections/bake-keys.ts';
import { callBudgetKeys } from './sections/call-budget-keys.ts';
import { canaryKeys } from './sections/canary-keys.ts';
import { drainKeys } from './sections/drain-keys.ts';
import { githubKeys } from './sections/github-keys.ts';
import { healthcheckKeys } from './sections/healthcheck-keys.ts';
import { hostKeys } from './sections/host-keys.ts';
import { infrastructureKeys } from './sections/infrastructure-keys.ts';
import { registrationKeys } from './sections/registration-keys.ts';
import { type Checked, choice, list, text, whole } from './values.ts';

/**
 * Table of all keys: source of the file, variables, flags, JSON Schema, reference, and the inputs
 * of the action and the templates. No key is required here, because `defaults` and the environment
 * may still set it.
 */
export const stackKeys = {
  runners: key('runners', choice(['gitlab', 'github']), {
    default: 'gitlab',
    description: "Type of the runners: GitLab's runners, or GitHub's self-hosted runners.",
  }),
  gitlabUrl: key('gitlab.url', gitlabUrl(), {
    description: 'Address of GitLab, without /api/v4.',
    required: true,
    only: 'gitlab',
    pipeline: true,
  }),
  callBudgets: callBudgetKeys,
  github: githubKeys,
  shards: key(
    'shards',
    list(
      'two names such as [pink, purple]',
      text('a name of 1 to 20 lower-case letters or digits', shardPattern),
      { least: 2, most: 2, refusal: 'expected exactly two shards' },
    ),
    { default: ['pink', 'purple'], description: 'Names of the two shards of a stack.' },
  ),
  parameterPrefix: key(
    'parameter_prefix',
    text(
      'a path such as /gitlab/dedicated/runner/{runner_name}/, with {runner_name} as one part and a slash at its end',
      /^(?!\/(?:[Aa][Ww][Ss]|[Ss][Ss][Mm]))(?:\/[A-Za-z0-9_.-]{1,100}){1,6}\/\{runner_name\}(?:\/[A-Za-z0-9_.-]{1,100}){0,6}\/$/,
    ),
    {
      default: '/gitlab/dedicated/runner/{runner_name}/',
      description:
        'Path in Parameter Store for the status, the record, the lock and the tokens of a stack.',
    },
  ),
  kmsKeyId: key(
    'kms_key_id',
    text('a key id, key ARN or alias of KMS', /^[A-Za-z0-9:/_-]{1,500}$/),
    {
      description: 'KMS key that encrypts the runner tokens.',
      otherwise: "the account's alias/aws/ssm",
    },
  ),
  aws: awsKeys,
  registration: registrationKeys,
  canary: canaryKeys,
  infrastructure: infrastructureKeys,
  host: hostKeys,
  managers: key('managers', whole('a number', { min: 1, max: 50 }), {
    default: 1,
    description: 'Number of runner managers of a shard. Each of them is verified.',
  }),
  healthcheck: healthcheckKeys,
  drain: drainKeys,
  bake: bakeKeys,
};

type KeyIn<Given> = Given extends Key
  ? Given
  : { [Name in keyof Given]: KeyIn<Given[Name]> }[keyof Given];
type StackKey = KeyIn<typeof stackKeys>;

export type KeyName = StackKey['name'];
export type KeyValue<Name extends KeyName> = ValueOf<Extract<StackKey, { readonly name: Name }>>;

export interface NamedKey extends Key<unknown, KeyName> {
  readonly path: readonly string[];
  /** Variable such as `HOSTED_RUNNER_DRAIN_TIMEOUT`. */
  readonly variable: string;
  /** Input of the action and the templates, if the key is one: `drain_timeout`. */
  readonly input: string;
}

/** All keys in the order of the reference. */
export const keyTable: readonly NamedKey[] = listKeys(stackKeys).map((one) => {
  const path = one.name.split('.');
  const input = path.join('_');
  const variable = `HOSTED_RUNNER_${input.toUpperCase()}`;
  return { ...one, name: one.name as KeyName, path, input, variable };
});

/** Checks a layer's value, or the default if no layer has one. */
export function readKey(one: Key, given: unknown): Checked {
  const value = given === undefined ? one.default : given;
  return value === undefined ? { kind: 'value', value } : one.accepts.read(value);
}

/** Keys below one section; a nested section is a tree again. */
export type KeyTree = ReadonlyMap<string, KeyTree | NamedKey>;

export const keyTree: KeyTree = treeOf(keyTable);

function treeOf(keys: readonly NamedKey[]): KeyTree {
  const root = new Map<string, KeyTree | NamedKey>();
  for (const one of keys) {
    let place = root;
    for (const name of one.path.slice(0, -1)) {
      const inner = (place.get(name) ?? new Map()) as Map<string, KeyTree | NamedKey>;
      place.set(name, inner);
      place = inner;
    }
    place.set(one.path.at(-1) ?? '', one);
  }
  return root;
}
