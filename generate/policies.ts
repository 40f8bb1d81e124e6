import {
  type Permission,
  type PermissionScope,
  type PolicyRole,
  permissions,
  roles,
} from '../src/adapters/aws/access/permissions.ts';
import { extentOf, type StackPlace } from '../src/adapters/aws/access/scopes.ts';
import { removing } from '../src/adapters/aws/access/sweep-permissions.ts';
import { code } from './markdown.ts';
import { terraformPolicies } from './terraform/terraform-policies.ts';

/** Policy file, generated into `examples/iam/` and evaluated by the tests. */
export interface PolicyFile {
  readonly path: string;
  readonly text: string;
}

const example: StackPlace = {
  partition: 'aws',
  account: '111122223333',
  region: 'eu-central-1',
  runnerName: 'linux',
  shards: ['pink', 'purple'],
  parameterPrefix: '/gitlab/dedicated/runner/linux/',
  stackTag: 'hosted-runner:stack',
  shardTag: 'hosted-runner:shard',
  roleNames: ['{shard}-{runner_name}_runner-manager'],
  document: 'hosted-runner-checks-linux',
};

export function policyFiles(): readonly PolicyFile[] {
  const usual = permissions.filter(({ unless }) => unless !== 'no_check_document');
  const byDocument = permissions.filter(({ unless }) => unless !== 'check_document');
  const files = [{ path: 'examples/iam/deploy.json', chosen: usual }];
  for (const role of roles) {
    const isOf = ({ roles: whose }: Permission) => whose.includes(role);
    files.push({ path: `examples/iam/${role}.json`, chosen: usual.filter(isOf) });
    if (byDocument.some((one) => one.on === 'check_document' && isOf(one)))
      files.push({ path: `examples/iam/${role}-document.json`, chosen: byDocument.filter(isOf) });
  }
  const terraform = Object.entries(terraformPolicies(example)).map(
    ([name, policy]) => [`examples/iam/${name}.json`, policy] as const,
  );
  return [
    ...files.map(({ path, chosen }) => [path, policyOf(chosen, placeOf(path))] as const),
    ...terraform,
  ].map(([path, policy]) => ({ path, text: `${JSON.stringify(policy, null, 2)}\n` }));
}

/**
 * Lists the policies of terraform/bootstrap: templates whose variables are the parts of the ARNs.
 */
export function bootstrapFiles(): readonly PolicyFile[] {
  const place: StackPlace = {
    ...example,
    partition: variable('partition'),
    account: variable('account'),
    region: variable('region'),
    runnerName: variable('stack'),
    shards: [variable('first'), variable('second')],
    parameterPrefix: variable('prefix'),
    github: {},
  };
  const { 'terraform-state': _, ...terraform } = terraformPolicies(place, variable('bucket'));
  const usual = permissions.filter(({ unless }) => unless !== 'no_check_document');
  return Object.entries({ deploy: policyOf(usual, place), ...terraform }).map(([name, policy]) => ({
    path: `terraform/bootstrap/policies/${name}.json.tftpl`,
    text: `${JSON.stringify(policy, null, 2)}\n`,
  }));
}

/** Returns a variable of a template. */
const variable = (name: string) => `\${${name}}`;

/** Returns the place of a policy: only GitHub's tokens are renewed. */
function placeOf(path: string): StackPlace {
  return path.endsWith('/renew.json') ? { ...example, github: {} } : example;
}

/** Returns a policy with one statement per kind of resource. */
export function policyOf(chosen: readonly Permission[], place: StackPlace) {
  const scopes = [...new Set(chosen.map(({ on }) => on))];
  return {
    Version: '2012-10-17',
    Statement: scopes.map((scope) => {
      const { resources, tags } = extentOf(scope, place);
      const actions = chosen.filter(({ on }) => on === scope).map(({ action }) => action);
      const conditions = Object.entries(tags).map(([key, values]) => [key, oneOrMore(values)]);
      return {
        Sid: sidOf(scope),
        Effect: 'Allow',
        Action: oneOrMore([...new Set(actions)]),
        Resource: oneOrMore(resources),
        ...(conditions.length === 0
          ? {}
          : { Condition: { StringEquals: Object.fromEntries(conditions) } }),
      };
    }),
  };
}

function oneOrMore(values: readonly string[]): string | readonly string[] {
  return values.length === 1 ? (values[0] ?? '') : values;
}

function sidOf(scope: PermissionScope): string {
  return scope.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Renders the table of docs/use/permissions.md. */
export function renderPermissions(): string {
  const rows = new Map<string, string[]>();
  for (const { action, on, roles: whose, why, unless } of permissions) {
    const condition = unless === undefined ? '' : `; ${exceptions[unless]}`;
    const rest = `${on.replaceAll('_', ' ')} | ${formatRoles(whose)}${condition} | ${why}`;
    rows.set(rest, [...(rows.get(rest) ?? []), code(action)]);
  }
  const lines = [...rows].map(([rest, actions]) => `| ${actions.join(', ')} | ${rest} |`);
  return ['| action | on | roles | purpose |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

const exceptions = {
  no_run_command: 'not with `host.access: none`',
  check_document: 'not with `host.document` or `host.access: none`',
  no_check_document: 'only with `host.document`',
  no_sweep: 'not with `aws.sweep: off`',
  no_role_names: 'not with `aws.sweep: off` or `aws.role_names: []`',
  no_alarms: 'only with `bake.signals.cloudwatch_alarms`',
};

function formatRoles(whose: readonly PolicyRole[]): string {
  if (whose.length === roles.length) return 'all';
  const others = roles.filter((role) => !whose.includes(role));
  if (others.length <= 3) return `all but ${others.join(', ')}`;
  if (!removing.every((role) => whose.includes(role))) return whose.join(', ');
  return ['removing', ...whose.filter((role) => !removing.includes(role))].join(', ');
}
