import { counted } from '../domain/text/count-text.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

const untouched = 'Nothing was touched.';

/** @param problems one line each, with its place, in reading order */
export function invalidConfiguration(
  path: string,
  problems: readonly string[],
  /** Sources of the problems: a flag is not corrected in the file. */
  places: readonly ('file' | 'other file' | 'environment' | 'flag')[] = ['file'],
): DeployError {
  const count = counted(problems.length, 'problem');
  const isInOthers = places.includes('other file');
  return new DeployError({
    code: 'InvalidConfiguration',
    what: isInOthers
      ? `The files of the configuration ${path} have ${count}.`
      : `The configuration ${path} has ${count}.`,
    why: problems,
    now: untouched,
    fix:
      isInOthers || places.includes('file')
        ? [
            {
              text: isInOthers
                ? 'Correct the files and check them again'
                : 'Correct the file and check it again',
              command: 'validate',
              ...named(path),
            },
          ]
        : [
            `Correct the ${places.includes('flag') ? 'flag' : 'variable'} and run the command again; the file is correct.`,
            'docs/use/configuration.md lists all keys.',
          ],
  });
}

/** Names the configuration unless it has the usual path. */
function named(path: string): { readonly config?: string } {
  return path === 'hosted-runners.yml' ? {} : { config: inShell`--config ${path}` };
}

export function configurationMissing(path: string): DeployError {
  return new DeployError({
    code: 'ConfigurationMissing',
    what: `There is no configuration file ${path}.`,
    now: untouched,
    fix: [
      { text: 'Write a configuration for this repository', command: 'init' },
      'Or name an existing file: --config FILE, or HOSTED_RUNNER_CONFIG',
    ],
  });
}

export function configurationIsFolder(path: string): DeployError {
  return new DeployError({
    code: 'ConfigurationMissing',
    what: `The configuration ${path} is a directory, not a file.`,
    now: untouched,
    fix: ['Name a file in this directory: --config FILE, or HOSTED_RUNNER_CONFIG'],
  });
}

export function unknownStack({
  shown,
  path,
  names,
  suggestion,
}: {
  /** The requested name, quoted and sanitized. */
  shown: string;
  path: string;
  names: readonly string[];
  suggestion: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'UnknownStack',
    what: `There is no stack ${shown} in ${path}.`,
    why: [`Stacks in ${path}: ${names.join(', ')}.`],
    now: untouched,
    fix: [
      suggestion === undefined
        ? inShell`Name one of them: --runner ${names[0] ?? 'NAME'}`
        : inShell`Did you mean: --runner ${suggestion}`,
    ],
  });
}

export function unknownShard({
  shown,
  runner,
  shards: [one, other],
  suggestion,
}: {
  /** The typed word, quoted and sanitized. */
  shown: string;
  runner: string;
  shards: readonly [string, string];
  suggestion: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'UnknownShard',
    what: `${runner} has no shard ${shown}.`,
    why: [`Its two shards are ${one} and ${other}.`],
    now: untouched,
    fix: [
      suggestion === undefined
        ? inShell`Name one of the shards: --shard ${one}, or --shard ${other}`
        : inShell`Did you mean: --shard ${suggestion}`,
      { text: 'Check which shard accepts jobs', command: 'status', runner },
    ],
  });
}

/** Environment variables with which a token could be read in transit. */
export function unsafeEnvironment(problems: readonly string[]): DeployError {
  return new DeployError({
    code: 'UnsafeEnvironment',
    what: 'Environment variables make connections unsafe.',
    why: problems,
    now: untouched,
    fix: [
      'Unset the variables named above and run the command again.',
      'To trust a CA of your organization: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    ],
  });
}

/** Command line that cannot be executed. */
export function badUsage({
  what,
  why,
  fix,
}: {
  what: string;
  why?: string | undefined;
  fix: readonly Line[];
}): DeployError {
  return new DeployError({
    code: 'BadUsage',
    what,
    ...(why === undefined ? {} : { why: [why] }),
    now: untouched,
    fix,
  });
}

export function fileUnwritable(shown: string, reason: string): DeployError {
  return badUsage({
    what: `${shown} cannot be written (${reason}).`,
    fix: [
      {
        text: 'Name a file in a writable directory',
        command: 'init',
        more: '--config FILE',
        isAlone: true,
      },
    ],
  });
}

/**
 * `named`: variable that names the file, if it was not typed. `here`: name for a file in this
 * folder.
 */
export function fileExists(path: string, named?: string, here?: string): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${path} already exists and was not overwritten.`,
    ...(named === undefined ? {} : { why: [`${named} names it.`] }),
    now: untouched,
    fix: [
      ...(here === undefined
        ? []
        : [
            {
              text: 'Write a configuration for this folder',
              again: 'init',
              more: inShell`--config ${here}`,
            } as const,
          ]),
      { text: 'Check the existing file', command: 'validate' },
      ...(here === undefined ? [addStack] : []),
      { text: 'Overwrite the file', again: 'init', more: '--force' },
    ],
  });
}

const addStack = { text: 'Add a stack such as arm to the file', command: 'init --stack arm' };

/**
 * An existing configuration when a root module was requested: an operator does not give up its
 * content for the module.
 * `beside`: another configuration file, from which the module's lines can be copied.
 * `kept`: other typed options, which the printed command repeats.
 */
export function configurationExists(
  path: string,
  beside: string,
  kept: readonly string[] = [],
): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${path} already exists and was not overwritten; no root module was written either.`,
    now: untouched,
    fix: [
      {
        text: 'Keep the file, and write the module with a separate sample configuration',
        command: inShell`init --terraform ${kept} --config ${beside}`,
        isAlone: true,
      },
      { text: 'Check the existing file', command: 'validate' },
    ],
  });
}

/**
 * An existing directory in the place of the root module. Without a configuration, it may be written
 * alone.
 * `kept`: other typed options, which the printed command repeats.
 */
export function moduleExists(
  directory: string,
  hasConfiguration: boolean,
  kept: readonly string[] = [],
): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${directory} already exists and was not overwritten.`,
    now: untouched,
    fix: hasConfiguration
      ? [{ text: 'Keep the directory, and check the configuration', command: 'validate' }]
      : [
          {
            text: 'Keep the directory, and write only a configuration',
            command: inShell`init ${kept}`,
          },
          {
            text: 'Overwrite the directory',
            command: inShell`init ${kept}`,
            more: '--terraform --force',
          },
        ],
  });
}
