import type { Folder } from './folder.ts';
import type { Repository } from './repository.ts';

/** Folder of the root module that `init --terraform` writes. */
export const moduleDirectory = 'infrastructure';

/** Folder of the root module that an administrator applies once. */
export const bootstrapDirectory = `${moduleDirectory}/bootstrap`;

/** Variables file of the stack that `init` writes. */
const variablesFile = `${moduleDirectory}/linux.tfvars`;

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
  repository: Repository,
  bootstrapValues: string,
): Promise<CopiedModules> {
  const { rootModule } = await import('./root-module.ts');
  const variables = { path: variablesFile, text: renderVariables(repository) };
  const bootstrap = {
    path: `${bootstrapDirectory}/terraform.tfvars`,
    text: bootstrapValues,
  };
  const files = [
    ...Object.entries(rootModule).map(([path, text]) => ({
      path: `${moduleDirectory}/${path}`,
      text,
    })),
    variables,
    bootstrap,
  ];
  for (const { path, text } of files) {
    await folder.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await folder.write({ path, text, overwrite: true });
  }
  return { files: files.map(({ path }) => path), variables, bootstrap };
}

export interface CopiedModules {
  readonly files: readonly string[];
  /** Variables of the stack. */
  readonly variables: WrittenFile;
  /** Variables of the bootstrap root module. */
  readonly bootstrap: WrittenFile;
}

export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

function renderVariables({ gitlabUrl = 'FILL_IN' }: Repository): string {
  return `# Variables of the stack linux. The program sets shard and runner_name. All variables and
# their defaults: modules/shard/variables.tf
# The subnets need access to GitLab and AWS. The image is Amazon Linux 2023, or another image with
# dnf, systemd and the SSM agent.
region     = "FILL_IN"
gitlab_url = "${gitlabUrl}"
vpc_id     = "FILL_IN"
subnet_ids = ["FILL_IN"]
ami_id     = "FILL_IN"

# Policy that bootstrap/ creates. Remove this line if you do not apply bootstrap/.
permissions_boundary = "hosted-runner-linux-boundary"
`;
}
