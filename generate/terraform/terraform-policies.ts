import type { StackPlace } from '../../src/adapters/aws/access/scopes.ts';
import { code } from '../markdown.ts';
import { boundaryOf } from './permissions-boundary.ts';
import { extents, type TerraformPlace } from './terraform-extents.ts';
import { terraformPermissions } from './terraform-permissions.ts';

/**
 * Policies of Terraform for the reference module. `state` reads and locks the state of a shard, and
 * `destroy` also removes the shard. `apply` is attached besides `destroy`, because both together
 * exceed the size of a policy.
 */
const levels = {
  state: ['state'],
  destroy: ['state', 'destroy'],
  apply: ['apply'],
} as const;
type TerraformLevel = keyof typeof levels;

const levelNames = Object.keys(levels) as TerraformLevel[];

/** Returns Terraform's policy, with one statement per kind of resource. */
function terraformPolicyOf(level: TerraformLevel, place: TerraformPlace) {
  const chosen = terraformPermissions.filter(({ from }) =>
    levels[level].some((one) => one === from),
  );
  return {
    Version: '2012-10-17',
    Statement: [...new Set(chosen.map(({ on }) => on))].map((on) => ({
      Sid: on.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      Effect: 'Allow',
      Action: chosen.filter((one) => one.on === on).flatMap(({ actions }) => actions),
      ...extents[on](place),
    })),
  };
}

/** Lists the policies by their names without extension. */
export function terraformPolicies(
  stack: StackPlace,
  bucket = 'acme-terraform-states',
): Readonly<Record<string, object>> {
  const stateKey = 'hosted-runners/{runner_name}/{shard}.tfstate';
  const place: TerraformPlace = { ...stack, bucket, stateKey };
  return {
    ...Object.fromEntries(
      levelNames.map((level) => [`terraform-${level}`, terraformPolicyOf(level, place)]),
    ),
    'terraform-boundary': boundaryOf(place),
  };
}

/** Renders docs/reference/terraform-permissions.md. */
export function renderTerraformPermissions(): string {
  const rows = terraformPermissions.map(
    ({ on, from, why, actions }) =>
      `| ${actions.map(code).join(', ')} | ${on.replaceAll('_', ' ')} | ${from === 'state' ? 'state, destroy' : from} | ${why} |`,
  );
  return `# Terraform's permissions

<!-- Made from generate/terraform/terraform-policies.ts by \`npm run generate\`. -->

Terraform needs these permissions of AWS for the [reference module](../../terraform/README.md). The policies \`state\`,
\`destroy\` and \`apply\` are \`terraform-state.json\`, \`terraform-destroy.json\` and \`terraform-apply.json\` in
[examples/iam](../../examples/iam). [Permissions](../use/permissions.md#terraform) lists the policies of each role.

- Resources of EC2 are limited by the tags \`hosted-runner:stack\` and \`hosted-runner:shard\`. Roles, instance profiles,
  log groups, Auto Scaling groups and states are limited by their names.
- \`anything\`: all resources, because AWS cannot limit the action.
- \`parts of instances\`: images, subnets, network interfaces and volumes. The tags of the instance limit the launch.

| action | on | policies | purpose |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
