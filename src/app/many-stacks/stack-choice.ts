import type { Configuration } from '../../config/load.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { refuseAwsEnvironment } from '../aws-environment.ts';
import type { Program } from '../process-program.ts';

type Surroundings = Pick<Program, 'folder' | 'environment'>;

interface Source {
  readonly config?: string;
  readonly overrides: readonly string[];
}

/** Returns all configured stacks, or the one on the command line. */
export async function chooseStacks(
  program: Surroundings,
  options: Source & { readonly runnerName?: StackSettings['runnerName'] | undefined },
): Promise<readonly StackSettings[]> {
  if (options.runnerName !== undefined)
    return [await chooseStack(program, options, options.runnerName)];
  return [...(await read(program, options)).stacks.values()];
}

/** Lists the names of the configured stacks; empty if the configuration cannot be read. */
export async function listStackNames(
  program: Surroundings,
  config: string | undefined,
): Promise<readonly string[]> {
  const source = { ...(config === undefined ? {} : { config }), overrides: [] };
  try {
    return [...(await read(program, source)).stacks.keys()];
  } catch (error) {
    if (!isDeployError(error)) throw error;
    return [];
  }
}

export async function chooseStack(
  program: Surroundings,
  source: Source,
  runnerName: StackSettings['runnerName'],
): Promise<StackSettings> {
  const { selectStack } = await import('../../config/load.ts');
  return selectStack(await read(program, source), runnerName);
}

/** Returns a stack that begins a deployment; the values of its root module must be filled in. */
export async function chooseFilledStack(
  program: Surroundings,
  source: Source,
  runnerName: StackSettings['runnerName'],
): Promise<StackSettings> {
  const [{ selectStack }, { requireFilledFiles }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../config/placeholder-values.ts'),
  ]);
  const configuration = await read(program, source);
  const settings = selectStack(configuration, runnerName);
  await requireFilledFiles(configuration, [settings], program.folder.read);
  return settings;
}

export async function chooseShard(settings: StackSettings, typed: string): Promise<Shard> {
  const { selectShard } = await import('../../config/load.ts');
  return selectShard(settings, typed);
}

async function read(
  { folder, environment }: Surroundings,
  { config, overrides }: Source,
): Promise<Configuration> {
  const { loadConfiguration } = await import('../../config/load.ts');
  const request = { files: folder, path: config, environment, overrides };
  const configuration = await loadConfiguration(request);
  await refuseAwsEnvironment({
    environment,
    readFile: folder.read,
    findRegion: async () => (await import('../../adapters/aws/services.ts')).findRegion(),
    regions: [...configuration.stacks.values()].map(({ aws }) => aws.region),
  });
  return configuration;
}
