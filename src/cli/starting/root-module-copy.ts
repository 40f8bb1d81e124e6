import type { Folder } from './folder.ts';
import { formatTerraformList, placeholder, type StartValues } from './start-values.ts';

/** Folder of the root module that `init --terraform` writes. */
export const moduleDirectory = 'infrastructure';

/** Folder of the root module that an administrator applies once. */
export const bootstrapDirectory = `${moduleDirectory}/bootstrap`;

/** Returns whether `init --terraform` wrote the root module. */
export async function findCopiedModule(folder: Folder): Promise<boolean> {
  const files = ['main.tf', 'modules/shard/main.tf'];
  const found = await Promise.all(files.map((path) => folder.check(`${moduleDirectory}/${path}`)));
  return found.every((one) => one?.kind === 'file');
}

/** Returns whether the root module's folder is in use: Terraform would read both contents. */
export async function findOccupied(folder: Folder): Promise<boolean> {
  if ((await folder.check(moduleDirectory))?.kind === 'file') return true;
  return (await folder.list(moduleDirectory)).length > 0;
}

/**
 * Writes the root module, the module that it calls, the bootstrap root module, and variables files
 * to fill in. Needs no network: the program contains all files.
 * @param bootstrapValues text of the variables file of the bootstrap root module
 * @returns the written files, with paths from the folder
 */
export async function copyRootModule(
  folder: Folder,
  values: StartValues,
  bootstrapValues: string,
): Promise<CopiedModules> {
  const { rootModule } = await import('./root-module.ts');
  const module = Object.entries(rootModule).map(([path, text]) => ({
    path: `${moduleDirectory}/${path}`,
    text,
  }));
  const variables = [
    ...values.stacks.map(({ name }) => renderVariables(name, values)),
    { path: `${bootstrapDirectory}/terraform.tfvars`, text: bootstrapValues },
  ];
  const ignored = { path: `${moduleDirectory}/.gitignore`, text: ignoredFiles };
  const files = [...module, ignored, ...variables];
  for (const { path, text } of files) {
    await folder.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await folder.write({ path, text, overwrite: true });
  }
  return { files: files.map(({ path }) => path), variables };
}

/** Large or outdated files. The state of bootstrap/ is kept, because only that folder contains it. */
const ignoredFiles = '.terraform/\n*.tfstate.backup\n';

export interface CopiedModules {
  readonly files: readonly string[];
  /** Variables of each stack, then of the bootstrap root module. */
  readonly variables: readonly WrittenFile[];
}

export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/** Renders the file with the variables of a stack. */
export function renderVariables(
  name: string,
  { gitlabUrl = placeholder, region = placeholder, subnets }: Omit<StartValues, 'stacks'>,
): WrittenFile {
  const text = `# Variables of the stack ${name}. The program sets shard and runner_name. All variables and
# their defaults: modules/shard/variables.tf
# The subnets need access to GitLab and AWS. The image is Amazon Linux 2023, or another image with
# dnf, systemd and the SSM agent.
region     = "${region}"
gitlab_url = "${gitlabUrl}"
vpc_id     = "${placeholder}"
subnet_ids = ${formatTerraformList(subnets)}
ami_id     = "${placeholder}"

# Policy that bootstrap/ creates. Remove this line if you do not apply bootstrap/.
permissions_boundary = "hosted-runner-${name}-boundary"
`;
  return { path: `${moduleDirectory}/${name}.tfvars`, text };
}
