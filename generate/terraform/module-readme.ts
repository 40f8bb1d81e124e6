import { projectAddress, version } from '../../src/domain/project.ts';
import { code, table } from '../markdown.ts';

/** What a reader is told above the tables, by the module's folder. */
const introductions: Readonly<Record<string, string>> = {
  terraform: `# One shard of a runner stack

Builds one shard: its runner managers, their role, security group and log group, and with \`autoscaler\` the Auto Scaling groups of the workers. What is on a host, and why: [docs/use/terraform.md](../docs/use/terraform.md#the-reference-module).

It has no backend and no provider; a root module brings them: [examples/shard](examples/shard), of which \`hosted-runner init --terraform\` writes a copy that works. Or call it from your own:

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

\`recover --method replace\` builds \`module.runner_manager.module.ec2[0].aws_instance.runner_manager\` anew; under another name than \`runner_manager\` it is told by \`--address\`.`,
  'terraform/modules/ec2': `# A runner manager's instance

One host: metadata by sessions only and at one hop, an encrypted root volume, a new instance for new user data. The module [above](../..) makes one for each manager.`,
  'terraform/examples/shard': `# A root module for one shard

Backend, provider and the module. hosted-runner gives \`shard\` and \`runner_name\`, and \`infrastructure.backend_config\` the state's place. The rest comes from a file of variables for each stack, such as [linux.tfvars](linux.tfvars); its configuration: [hosted-runners.yml](hosted-runners.yml).

\`hosted-runner init --terraform\` writes this with a copy of the module below \`infrastructure/\`.`,
};

export const moduleFolders = Object.keys(introductions);

/** README.md of a module: what it is, its inputs, its outputs. `source` is all of its .tf files. */
export function renderModuleReadme(folder: string, source: string): string {
  return `${introductions[folder]}

## Inputs

${table(['name', 'what', 'type', 'default'], readBlocks('variable', source).map(inputRow))}

## Outputs

${table(
  ['name', 'what'],
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
  return [code(name), description, code(type), value === undefined ? '**needed**' : code(value)];
}

/** A variable or an output as a module declares it. */
interface Declared {
  readonly name: string;
  readonly description: string;
  /** Terraform's own words; undefined of an output. */
  readonly type: string | undefined;
  /** Undefined where a value has to be given. */
  readonly default: string | undefined;
}

/**
 * The blocks of one kind, in their order.
 * @throws Error for one without a description: a reader would be told nothing of it
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

/** The text of an argument of the block itself, over several lines where it opens a bracket. */
function argument(body: string, name: string): string | undefined {
  const found = new RegExp(
    `^ {2}${name} += ((?:.*[({[]\\n)(?:[\\s\\S]*?)^ {2}[)}\\]]+|.*)$`,
    'm',
  ).exec(body)?.[1];
  return found?.replace(/\n\s*/g, ' ').replace(/ {2,}/g, ' ');
}
