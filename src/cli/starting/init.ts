import { defaultPath } from '../../config/load.ts';
import { printable } from '../../config/show.ts';
import { jsonDocument } from '../../domain/output.ts';
import { fileExists, fileUnwritable } from '../../errors/input.ts';
import { systemReason } from '../../errors/system-reason.ts';
import type { CommandExit, InitOptions } from '../actions.ts';
import type { CommandSurroundings } from '../validate.ts';
import { exploreRepository, type Repository } from './repository.ts';
import { renderSnippet, renderStarter, renderSubjects } from './starter.ts';

/**
 * Writes a configuration to start from and says what is left to do.
 * @throws DeployError `FileExists`, `BadUsage`
 */
export async function initialise(
  options: InitOptions,
  { folder, environment, write }: CommandSurroundings,
): Promise<CommandExit> {
  const path = options.config ?? (environment['HOSTED_RUNNER_CONFIG'] || defaultPath);
  const repository = await exploreRepository({ folder, environment, ci: options.ci });
  const text = renderStarter(repository);
  const written = await folder
    .write({ path, text, overwrite: options.force })
    .catch((error: unknown) => {
      throw fileUnwritable(printable(path), systemReason(error));
    });
  if (!written) throw fileExists(path);
  if (options.json === true) write(jsonDocument(toJson({ path, text, repository })));
  else write(`${report({ path, text, repository }).join('\n')}\n`);
  return 0;
}

interface Started {
  readonly path: string;
  readonly text: string;
  readonly repository: Repository;
}

function toJson({ path, text, repository }: Started): object {
  const { ci } = repository;
  return {
    path,
    ci,
    findings: findings(repository),
    fill_in: placesToFill(text),
    snippet: renderSnippet(ci),
  };
}

function report({ path, text, repository }: Started): string[] {
  const { ci } = repository;
  const target = ci === 'gitlab' ? '.gitlab-ci.yml' : '.github/workflows/hosted-runner-deploy.yml';
  return [
    `✔ Wrote ${path}.`,
    ...findings(repository).map((finding) => `  ${finding}`),
    '',
    'Still to fill in:',
    ...placesToFill(text).map(({ line, content }) => `  ${path}:${line}  ${content}`),
    `Then check it: hosted-runner validate${path === defaultPath ? '' : ` --config ${path}`}`,
    '',
    `For ${target}, with HOSTED_RUNNER_GITLAB_TOKEN as a masked variable or secret:`,
    '',
    renderSnippet(ci).trimEnd(),
    ...(ci === 'github' ? ['', ...renderSubjects(repository)] : []),
  ];
}

function findings(repository: Repository): string[] {
  const { ci, ciReason, gitlabUrl, gitlabUrlReason, projectPath, infrastructure } = repository;
  const name = ci === 'gitlab' ? 'GitLab' : 'GitHub';
  return [
    `CI: ${name}, because ${ciReason}${projectPath === undefined ? '' : ` (${projectPath})`}`,
    gitlabUrl === undefined
      ? 'GitLab: not found out'
      : `GitLab: ${gitlabUrl}, by ${gitlabUrlReason}`,
    infrastructure === undefined
      ? 'Infrastructure: found no *.tf, Pulumi.yaml or cdk.json'
      : `Infrastructure: ${infrastructure.kind} in ${infrastructure.directory}`,
  ];
}

/** Lines with a value to fill in; comments only explain. */
function placesToFill(text: string): { line: number; content: string }[] {
  return text
    .split('\n')
    .map((content, index) => ({ line: index + 1, content: content.trim() }))
    .filter(({ content }) => !content.startsWith('#') && content.includes('FILL_IN'));
}
