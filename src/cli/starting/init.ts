import { defaultPath } from '../../config/load.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import { inShell } from '../../domain/text/shell-quoting.ts';
import { printable } from '../../domain/text/show.ts';
import { commandOf } from '../../errors/fix-line.ts';
import {
  configurationExists,
  fileExists,
  fileUnwritable,
  moduleExists,
} from '../../errors/input-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';
import type { CommandExit, InitOptions } from '../handler-types.ts';
import type { CommandSurroundings } from '../validate-command.ts';
import { renderBootstrapValues } from './bootstrap-values.ts';
import type { Folder } from './folder.ts';
import { exploreRepository, type Repository } from './repository.ts';
import {
  bootstrapDirectory,
  type CopiedModules,
  copyRootModule,
  findOccupied,
  moduleDirectory,
  type WrittenFile,
} from './root-module-copy.ts';
import { renderSnippet, renderStarter, renderSubjects } from './starter.ts';

/**
 * Writes an initial configuration and prints the next steps: with `show` for people, with `write`
 * for text to paste.
 * @throws DeployError `FileExists`, `BadUsage`
 */
export async function initialise(
  options: InitOptions,
  { folder, environment, write, show }: CommandSurroundings & { readonly show: typeof write },
): Promise<CommandExit> {
  const usual = environment['HOSTED_RUNNER_CONFIG'] || defaultPath;
  const path = options.config ?? usual;
  const terraform = options.terraform === true;
  const found = await exploreRepository({ folder, environment, ci: options.ci });
  const repository: Repository = terraform
    ? { ...found, infrastructure: { kind: 'terraform', directory: moduleDirectory } }
    : found;
  const text = renderStarter(repository, terraform);
  const unwritable = (error: unknown): never => {
    throw fileUnwritable(printable(path), systemReason(error));
  };
  // Checked before the first write, which avoids a partial result.
  if (terraform && !options.force) await refuseOccupied(folder, path, options);
  const written = await folder.write({ path, text, overwrite: options.force }).catch(unwritable);
  if (!written) {
    const isOfVariable = options.config === undefined && usual !== defaultPath;
    throw isOfVariable
      ? fileExists(printable(path), 'HOSTED_RUNNER_CONFIG', defaultPath)
      : fileExists(path);
  }
  const copied = terraform
    ? await copyRootModule(
        folder,
        repository,
        renderBootstrapValues(repository, environment),
      ).catch((error: unknown) => {
        throw fileUnwritable(`${moduleDirectory}/`, systemReason(error));
      })
    : undefined;
  const started = { config: { path, text }, usual, repository, copied };
  if (options.json === true) write(jsonDocument(toJson(started)));
  else for (const { by, lines } of report(started)) ({ show, write })[by](`${lines.join('\n')}\n`);
  return 0;
}

/**
 * Refuses to overwrite existing files. A configuration may contain a lot of work, so no suggested
 * command removes it.
 */
async function refuseOccupied(folder: Folder, path: string, typed: InitOptions): Promise<void> {
  // The suggested command keeps these options; otherwise it would be for another CI or not
  // machine-readable.
  const ci = typed.ci === undefined ? [] : ['--ci', typed.ci];
  const kept = typed.json === true ? [...ci, '--json'] : ci;
  const hasConfiguration = (await folder.check(path).catch(() => undefined)) !== undefined;
  if (await findOccupied(folder)) throw moduleExists(`${moduleDirectory}/`, hasConfiguration, kept);
  if (!hasConfiguration) return;
  const beside = path.replace(/(\.ya?ml)?$/, '.new$1');
  throw configurationExists(path, beside, kept);
}

interface Started {
  readonly config: WrittenFile;
  /** Path that commands read by default. */
  readonly usual: string;
  readonly repository: Repository;
  /** Copied root module; undefined without `--terraform`. */
  readonly copied: CopiedModules | undefined;
}

function toJson(started: Started): object {
  const { config, repository, copied } = started;
  return {
    path: config.path,
    files: [config.path, ...(copied?.files ?? [])],
    ci: repository.ci,
    findings: findings(repository),
    fill_in: placesToFill(started),
    snippet: renderSnippet(repository.ci),
  };
}

/** The scope keeps the token from the canary, which runs on the stack's hosts. */
const tokenVariable = 'masked and hidden, protected, environment scope hosted-runner/*';

interface Part {
  readonly by: 'show' | 'write';
  readonly lines: readonly string[];
}

function report(started: Started): Part[] {
  const { config, repository, copied } = started;
  const { ci } = repository;
  const [target, kept] =
    ci === 'gitlab'
      ? ['.gitlab-ci.yml', `variable (${tokenVariable})`]
      : ['.github/workflows/hosted-runners.yml', 'secret'];
  const lines = [
    `✔ Wrote ${config.path}.`,
    ...(copied === undefined
      ? []
      : [
          `✔ Wrote ${moduleDirectory}/, a root module for one shard.`,
          `✔ Wrote ${bootstrapDirectory}/, a root module for the role of the CI and the bucket.`,
        ]),
    ...findings(repository).map((finding) => `  ${finding}`),
    '',
    'Fill in:',
    ...placesToFill(started).map(({ path, line, content }) => `  ${path}:${line}  ${content}`),
    ...checks(started),
    '',
    `For ${target}, with HOSTED_RUNNER_GITLAB_TOKEN as a ${kept}:`,
    '',
  ];
  const snippet = renderSnippet(ci).trimEnd();
  return [
    { by: 'show', lines },
    { by: 'write', lines: [snippet] },
    ...(ci === 'github' ? subjects(repository) : []),
  ];
}

/** Lists the subjects by which an AWS role trusts the workflow. */
function subjects(repository: Repository): Part[] {
  const { lines, idsCommand } = renderSubjects(repository);
  return [
    { by: 'show', lines: ['', ...lines, ''] },
    ...(idsCommand === undefined
      ? []
      : ([
          { by: 'show', lines: ['This command prints the ids:', ''] },
          { by: 'write', lines: [idsCommand, ''] },
        ] as const)),
    { by: 'show', lines: ['The complete policy: docs/use/github.md, "The role on AWS".'] },
  ];
}

function checks({ config: { path }, usual, copied }: Started): string[] {
  const named = path === usual ? {} : { config: inShell`--config ${path}` };
  const validate = commandOf({ command: 'validate', ...named }, undefined);
  if (copied === undefined) return [`Then check it: ${validate}`];
  return [
    'Then check both, and commit the lock file that the second one writes:',
    `  ${validate}`,
    `  terraform -chdir=${moduleDirectory} init -backend=false`,
    `  terraform -chdir=${moduleDirectory} validate`,
    '',
    'An administrator of AWS runs once:',
    `  terraform -chdir=${bootstrapDirectory} init`,
    `  terraform -chdir=${bootstrapDirectory} apply`,
  ];
}

function findings(repository: Repository): string[] {
  const { ci, ciReason, gitlabUrl, gitlabUrlReason, projectPath, infrastructure } = repository;
  const name = ci === 'gitlab' ? 'GitLab' : 'GitHub';
  return [
    `CI: ${name}, because ${ciReason}${projectPath === undefined ? '' : ` (${projectPath})`}`,
    gitlabUrl === undefined
      ? 'GitLab: not detected'
      : `GitLab: ${gitlabUrl} (from ${gitlabUrlReason})`,
    infrastructure === undefined
      ? 'Infrastructure: found no *.tf, Pulumi.yaml or cdk.json'
      : `Infrastructure: ${infrastructure.kind} in ${infrastructure.directory}`,
  ];
}

/** Lists the lines with a value to fill in; comments are left out. */
function placesToFill({
  config,
  copied,
}: Started): { path: string; line: number; content: string }[] {
  const files = copied === undefined ? [config] : [config, copied.variables, copied.bootstrap];
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((content, index) => ({ path, line: index + 1, content: content.trim() }))
      .filter(({ content }) => !content.startsWith('#') && content.includes('FILL_IN')),
  );
}
