import { counted } from '../domain/text/count-text.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

const untouched = 'Nothing was touched.';

/** @param problems one line each, with its place; in the order in which a person reads them */
export function invalidConfiguration(
  path: string,
  problems: readonly string[],
  /** Where they stand: a file is not corrected for a flag. */
  places: readonly ('file' | 'environment' | 'flag')[] = ['file'],
): DeployError {
  const count = counted(problems.length, 'problem');
  return new DeployError({
    code: 'InvalidConfiguration',
    what: `The configuration ${path} has ${count}.`,
    why: problems,
    now: untouched,
    fix: places.includes('file')
      ? [{ say: 'Correct the file and look again', command: 'validate', ...named(path) }]
      : [
          `Correct the ${places.includes('flag') ? 'flag' : 'variable'} and run it again; the file is as it should be.`,
          'All keys: docs/use/configuration.md',
        ],
  });
}

/** Nothing for the usual path. */
function named(path: string): { readonly config?: string } {
  return path === 'hosted-runners.yml' ? {} : { config: inShell`--config ${path}` };
}

export function configurationMissing(path: string): DeployError {
  return new DeployError({
    code: 'ConfigurationMissing',
    what: `There is no configuration ${path}.`,
    now: untouched,
    fix: [
      { say: 'Write one for this repository', command: 'init' },
      'Or name the one that you have: --config FILE, or HOSTED_RUNNER_CONFIG',
    ],
  });
}

export function configurationIsFolder(path: string): DeployError {
  return new DeployError({
    code: 'ConfigurationMissing',
    what: `The configuration ${path} is a directory, and not a file.`,
    now: untouched,
    fix: ['Name the file in it: --config FILE, or HOSTED_RUNNER_CONFIG'],
  });
}

export function unknownStack({
  shown,
  path,
  names,
  suggestion,
}: {
  /** The name asked for, quoted and made harmless. */
  shown: string;
  path: string;
  names: readonly string[];
  suggestion: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'UnknownStack',
    what: `There is no stack ${shown} in ${path}.`,
    why: [`It has ${names.join(', ')}.`],
    now: untouched,
    fix: [
      suggestion === undefined
        ? inShell`Name one of them: --runner ${names[0] ?? 'NAME'}`
        : inShell`Did you mean this one: --runner ${suggestion}`,
    ],
  });
}

export function unknownShard({
  shown,
  runner,
  shards: [one, other],
  suggestion,
}: {
  /** The word that was typed, quoted and made harmless. */
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
        ? inShell`Name one of them: --shard ${one}, or --shard ${other}`
        : inShell`Did you mean this one: --shard ${suggestion}`,
      { say: 'See which of them serves', command: 'status', runner },
    ],
  });
}

/** Variables that would let a token be read on its way. */
export function unsafeEnvironment(problems: readonly string[]): DeployError {
  return new DeployError({
    code: 'UnsafeEnvironment',
    what: 'The environment takes the safety of connections away.',
    why: problems,
    now: untouched,
    fix: [
      'Unset what is named above and run it again.',
      'If a CA is your own, give it to Node: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    ],
  });
}

/** A command line that cannot be carried out. */
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
        say: 'Name a file in a directory that is yours',
        command: 'init',
        more: '--config FILE',
        isAlone: true,
      },
    ],
  });
}

/** `named`: the variable that names it, where nobody typed it; `here`: what the folder's own is called. */
export function fileExists(path: string, named?: string, here?: string): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${path} exists already and was not overwritten.`,
    ...(named === undefined ? {} : { why: [`${named} names it.`] }),
    now: untouched,
    fix: [
      ...(here === undefined
        ? []
        : [
            {
              say: 'Write one for this folder',
              again: 'init',
              more: inShell`--config ${here}`,
            } as const,
          ]),
      { say: 'Check the one that is there', command: 'validate' },
      { say: 'Overwrite it', again: 'init', more: '--force' },
    ],
  });
}

/**
 * The same where a root module was asked for: nobody who wants one gives up for it what is filled in.
 * `beside`: another file, for a configuration to take the lines of the module from.
 * `kept`: what else was typed, for the same to be written.
 */
export function configurationExists(
  path: string,
  beside: string,
  kept: readonly string[] = [],
): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${path} exists already and was not overwritten; no root module was written either.`,
    now: untouched,
    fix: [
      {
        say: 'Leave it as it is; write the module, and beside it a configuration to copy from',
        command: inShell`init --terraform ${kept} --config ${beside}`,
        isAlone: true,
      },
      { say: 'Check the one that is there', command: 'validate' },
    ],
  });
}

/**
 * Where the root module would go is something. Whoever has no configuration yet may write it alone.
 * `kept`: what else was typed, for the same to be written.
 */
export function moduleExists(
  directory: string,
  hasConfiguration: boolean,
  kept: readonly string[] = [],
): DeployError {
  return new DeployError({
    code: 'FileExists',
    what: `${directory} exists already and was not overwritten.`,
    now: untouched,
    fix: hasConfiguration
      ? [{ say: 'Check the configuration that is there', command: 'validate' }]
      : [
          {
            say: 'Use it as it is, and write a configuration alone',
            command: inShell`init ${kept}`,
          },
          { say: 'Write over it', command: inShell`init ${kept}`, more: '--terraform --force' },
        ],
  });
}
