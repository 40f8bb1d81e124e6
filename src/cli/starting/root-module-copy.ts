import type { Folder } from './folder.ts';
import type { Repository } from './repository.ts';

/** Where `init --terraform` puts the root module. */
export const moduleDirectory = 'infrastructure';

/** The file of variables of the stack that `init` writes. */
const variablesFile = `${moduleDirectory}/linux.tfvars`;

/** Whether something is where the root module goes: whatever it is, Terraform would read both together. */
export async function findOccupied(folder: Folder): Promise<boolean> {
  if ((await folder.look(moduleDirectory))?.kind === 'file') return true;
  return (await folder.list(moduleDirectory)).length > 0;
}

/**
 * Writes the root module with the module that it calls, and a file of variables to fill in. Needs no
 * network: all of it is in the program.
 * @returns what was written, paths from the folder
 */
export async function copyRootModule(
  folder: Folder,
  repository: Repository,
): Promise<{ readonly files: readonly string[]; readonly variables: WrittenFile }> {
  const { rootModule } = await import('./root-module.ts');
  const variables = { path: variablesFile, text: renderVariables(repository) };
  const files = [
    ...Object.entries(rootModule).map(([path, text]) => ({
      path: `${moduleDirectory}/${path}`,
      text,
    })),
    variables,
  ];
  for (const { path, text } of files) {
    await folder.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await folder.write({ path, text, overwrite: true });
  }
  return { files: files.map(({ path }) => path), variables };
}

export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

function renderVariables({ gitlabUrl = 'FILL_IN' }: Repository): string {
  return `# Variables of the stack linux; shard and runner_name come from hosted-runner. All of them, with
# what they are without a value: modules/shard/variables.tf
# The subnets need a way out to GitLab and AWS. The image is Amazon Linux 2023, or another one with
# dnf, systemd and the SSM agent.
region     = "FILL_IN"
gitlab_url = "${gitlabUrl}"
vpc_id     = "FILL_IN"
subnet_ids = ["FILL_IN"]
ami_id     = "FILL_IN"
`;
}
