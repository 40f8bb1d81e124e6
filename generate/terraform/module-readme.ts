import { projectAddress, version } from '../../src/domain/project.ts';
import { code, table } from '../markdown.ts';

/** Texts above the tables, by the module's folder. */
const introductions: Readonly<Record<string, string>> = {
  terraform: `# One shard of a runner stack

This module builds one shard: its runner managers, their role, security group and log group. With \`autoscaler\`, it also builds the Auto Scaling groups of the workers. Details: [docs/use/terraform.md](../docs/use/terraform.md#the-reference-module).

The module has no backend or provider. Use the root module [examples/shard](examples/shard), which \`hosted-runner init --terraform\` copies, or write one that calls this module:

\`\`\`hcl
module "runner_manager" {
  source = "git::${projectAddress}.git//terraform?ref=${version}"

  shard       = var.shard
  runner_name = var.runner_name
  gitlab_url  = "https://gitlab.example.com"
  vpc_id      = "vpc-0123456789abcdef0"
  subnet_ids  = ["subnet-0123456789abcdef0"]
  ami_id      = "ami-0123456789abcdef0"
}
\`\`\`

\`recover --method replace\` replaces \`module.runner_manager.module.ec2[0].aws_instance.runner_manager\`. If your module call has another name, pass the address with \`--address\`.`,
  'terraform/modules/ec2': `# A runner manager's instance

This module builds one host with IMDSv2 (one hop) and an encrypted root volume. Changed user data creates a new instance. The module [above](../..) calls it for each manager.`,
  'terraform/bootstrap': `# The role of the CI and the bucket of the states

An administrator applies this root module once, before the first deployment. It creates the identity provider of the CI, the role of its jobs with hosted-runner's policies, a permissions boundary for each stack, and the bucket of Terraform's states.

\`hosted-runner init --terraform\` writes it to \`infrastructure/bootstrap/\` with \`terraform.tfvars\`. Details: [docs/use/terraform.md](../../docs/use/terraform.md#bootstrap).`,
  'terraform/examples/shard': `# A root module for one shard

This root module contains the backend, the provider and the module call. hosted-runner sets \`shard\` and \`runner_name\`, and \`infrastructure.backend_config\` sets the location of the state. Set all other values in a variable file for each stack, such as [linux.tfvars](linux.tfvars). The matching configuration is [hosted-runners.yml](hosted-runners.yml).

\`hosted-runner init --terraform\` writes this root module, with a copy of the module, to \`infrastructure/\`.`,
};

export const moduleFolders = Object.keys(introductions);

/**
 * Renders README.md of a module: description, inputs and outputs. `source` is all of its .tf files.
 */
export function renderModuleReadme(folder: string, source: string): string {
  return `${introductions[folder]}

## Inputs

${table(['name', 'purpose', 'type', 'default'], readBlocks('variable', source).map(inputRow))}

## Outputs

${table(
  ['name', 'content'],
  readBlocks('output', source).map(({ name, description }) => [code(name), description]),
)}

Generated from the \`.tf\` files by \`npm run generate\`.
`;
}

function inputRow({
  name,
  description,
  type = 'any',
  default: value,
}: Declared): readonly string[] {
  return [code(name), description, code(type), value === undefined ? '**required**' : code(value)];
}

/** Variable or output as a module declares it. */
interface Declared {
  readonly name: string;
  readonly description: string;
  /** Type in Terraform's syntax; undefined for an output. */
  readonly type: string | undefined;
  /** Undefined if a value is required. */
  readonly default: string | undefined;
}

/**
 * Reads the blocks of one kind in their order.
 * @throws Error for a block without a description, which would be missing from the tables
 */
function readBlocks(kind: 'variable' | 'output', source: string): readonly Declared[] {
  const blocks = source.matchAll(new RegExp(`^${kind} "(\\w+)" \\{\\n([\\s\\S]*?)^\\}`, 'gm'));
  return [...blocks].map(([, name = '', body = '']) => {
    const description = argument(body, 'description');
    if (description === undefined) throw new Error(`${kind} ${name} has no description.`);
    return {
      name,
      description: JSON.parse(description) as string,
      type: argument(body, 'type'),
      default: argument(body, 'default'),
    };
  });
}

/** Reads an argument of the block itself, over several lines if it opens a bracket. */
function argument(body: string, name: string): string | undefined {
  const found = new RegExp(
    `^ {2}${name} += ((?:.*[({[]\\n)(?:[\\s\\S]*?)^ {2}[)}\\]]+|.*)$`,
    'm',
  ).exec(body)?.[1];
  return found?.replace(/\n\s*/g, ' ').replace(/ {2,}/g, ' ');
}
