import type { KeyName } from '../../domain/keys/key-table.ts';
import { suggest } from '../../domain/text/suggestion.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';

/** Returns the configured driver: `command` if commands are set, otherwise `terraform`. */
export function driverOf(keys: ResolvedKeys): 'terraform' | 'command' {
  return (
    keys.get('infrastructure.driver') ??
    (keys.get('infrastructure.apply') === undefined ? 'terraform' : 'command')
  );
}

export function infrastructureRules(keys: ResolvedKeys): Problem[] {
  if (keys.isRefused('infrastructure.driver') || keys.isRefused('infrastructure.apply')) return [];
  const driver = driverOf(keys);
  return [
    ...(driver === 'terraform' ? terraformRules(keys) : commandRules(keys)),
    ...foreignKeys(keys, driver),
    ...placeholderRules(keys),
  ];
}

function isMissing(keys: ResolvedKeys, name: KeyName): boolean {
  return keys.get(name) === undefined && !keys.isRefused(name);
}

function commandRules(keys: ResolvedKeys): Problem[] {
  const missing = (['apply', 'destroy'] as const)
    .map((command) => `infrastructure.${command}` as const)
    .filter((name) => isMissing(keys, name))
    .map((name) => keys.problem('infrastructure.driver', `driver command needs ${name}`));
  const shared = (['apply', 'destroy', 'outputs'] as const).flatMap((command) => {
    const name = `infrastructure.${command}` as const;
    const text = keys.get(name)?.join(' ');
    return text === undefined || text.includes('{shard}') || misspelt(text).length > 0
      ? []
      : [keys.problem(name, '{shard} is missing, so the command would touch both shards')];
  });
  return [...missing, ...shared];
}

function terraformRules(keys: ResolvedKeys): Problem[] {
  const directory = keys.get('infrastructure.directory');
  if (directory === undefined) {
    if (keys.isRefused('infrastructure.directory')) return [];
    const text =
      keys.get('infrastructure.driver') === undefined
        ? 'set either directory (for Terraform), or apply and destroy (your own commands)'
        : 'driver terraform needs infrastructure.directory';
    return [keys.problem('infrastructure.driver', text)];
  }
  // The content of a refused key is unknown here.
  if (keys.isRefused('infrastructure.workspace') || keys.isRefused('infrastructure.backend_config'))
    return [];
  const places = [
    directory,
    keys.get('infrastructure.workspace') ?? '',
    ...(keys.get('infrastructure.backend_config') ?? []),
  ].join(' ');
  return ['{shard}', '{runner_name}']
    .filter((word) => !places.includes(word))
    .map((word) => {
      const whose = word === '{shard}' ? 'both shards' : 'every stack';
      const text = `${word} is missing in backend_config, workspace and directory, so ${whose} would share a state`;
      return keys.problem('infrastructure.directory', text);
    });
}

/** Refuses keys that the driver does not read, unless a weaker layer set them. */
function foreignKeys(keys: ResolvedKeys, driver: 'terraform' | 'command'): Problem[] {
  const foreign =
    driver === 'terraform'
      ? (['apply', 'destroy', 'outputs', 'working_directory'] as const)
      : (['directory', 'workspace'] as const);
  return foreign
    .map((word) => `infrastructure.${word}` as const)
    .filter((name) => keys.get(name) !== undefined && keys.isMeant(name, 'infrastructure.driver'))
    .map((name) => {
      const wanted = driver === 'terraform' ? 'command' : 'terraform';
      return keys.problem(name, `requires driver ${wanted}, but the driver is ${driver}`);
    });
}

const placeholders = ['shard', 'runner_name'];
const filled = [
  'apply',
  'destroy',
  'outputs',
  'directory',
  'backend_config',
  'workspace',
  'var_files',
  'variables',
  'own_names',
] as const;

function placeholderRules(keys: ResolvedKeys): Problem[] {
  return filled.flatMap((word) => {
    const name = `infrastructure.${word}` as const;
    const text = [keys.get(name) ?? ''].flat().join(' ');
    return misspelt(text).map(([found, meant]) =>
      keys.problem(name, `unknown placeholder {${found}}; did you mean {${meant}}?`),
    );
  });
}

function misspelt(text: string): [string, string][] {
  return [...text.matchAll(/\{([a-z_-]{3,20})\}/gi)]
    .map((match) => match[1] ?? '')
    .filter((word) => !placeholders.includes(word))
    .flatMap((word) => {
      const meant = suggest(word, placeholders);
      return meant === undefined ? [] : [[word, meant] as [string, string]];
    });
}
