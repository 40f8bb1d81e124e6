import { inShell } from '../../domain/text/shell-quoting.ts';
import { commandOf } from '../../errors/fix-line.ts';
import { ciPaths } from './ci-file.ts';
import type { Repository } from './repository.ts';
import { bootstrapDirectory, moduleDirectory, type WrittenFile } from './root-module-copy.ts';
import { placeholder } from './start-values.ts';
import { renderSubjects } from './starter.ts';

/** Result for the CI's file: `reason` explains why it cannot be written. */
export type PipelineOutcome = 'written' | 'exists' | { readonly reason: string };

/** Result of `init`. */
export type StartReport = {
  readonly path: string;
  /** Path that commands read by default. */
  readonly usual: string;
  readonly repository: Repository;
  /** Names of the written stacks. */
  readonly stacks: readonly string[];
  /** Paths of all written files. */
  readonly files: readonly string[];
  /** Written files that may contain placeholders. */
  readonly filled: readonly WrittenFile[];
  /** Text of the CI's file, or the part for added stacks. */
  readonly pipeline: string;
} & (
  | {
      readonly kind: 'written';
      readonly outcome: PipelineOutcome;
      /** Whether the root modules were written. */
      readonly copiesModule: boolean;
    }
  | { readonly kind: 'added'; readonly hasBootstrap: boolean }
);

export function renderStartJson(report: StartReport): object {
  const { path, files, repository, stacks, pipeline } = report;
  return {
    path,
    files,
    stacks,
    ci: repository.ci,
    findings: findings(repository),
    fill_in: placesToFill(report),
    snippet: pipeline,
  };
}

/** The scope keeps the token from the canary, which runs on the stack's hosts. */
const tokenVariable = 'masked and hidden, protected, environment scope hosted-runner/*';

interface Part {
  readonly by: 'show' | 'write';
  readonly lines: readonly string[];
}

export function renderStartReport(report: StartReport): Part[] {
  const places = placesToFill(report).map(
    ({ path, line, content }) => `  ${path}:${line}  ${content}`,
  );
  const lines = [
    ...written(report),
    ...(places.length === 0 ? [] : ['', 'Fill in:', ...places]),
    ...checks(report),
    '',
  ];
  const parts = report.kind === 'added' ? addedParts(report) : pipelineParts(report);
  const [first, ...rest] = parts;
  const whole: Part[] = [{ by: 'show', lines: [...lines, ...(first?.lines ?? [])] }, ...rest];
  const isOfGitHub = report.repository.ci === 'github' && report.kind === 'written';
  return isOfGitHub ? [...whole, ...subjects(report.repository)] : whole;
}

function written(report: StartReport): string[] {
  const { path, files, repository, stacks } = report;
  if (report.kind === 'added')
    return [
      `✔ Added ${stacks.join(', ')} to ${path}.`,
      ...files.filter((file) => file !== path).map((file) => `✔ Wrote ${file}.`),
    ];
  const { outcome, copiesModule } = report;
  const target = ciPaths[repository.ci];
  return [
    `✔ Wrote ${path}.`,
    ...(copiesModule
      ? [
          `✔ Wrote ${moduleDirectory}/, a root module for one shard.`,
          `✔ Wrote ${bootstrapDirectory}/, a root module for the role of the CI and the bucket.`,
        ]
      : []),
    ...(outcome === 'written' ? [`✔ Wrote ${target}.`] : []),
    ...(typeof outcome === 'object' ? [`⚠ ${target} cannot be written (${outcome.reason}).`] : []),
    ...findings(repository).map((finding) => `  ${finding}`),
  ];
}

function pipelineParts(report: Extract<StartReport, { kind: 'written' }>): Part[] {
  const { outcome, pipeline } = report;
  const { ci } = report.repository;
  const named = configOf(report);
  const target = ciPaths[ci];
  const kept = ci === 'gitlab' ? `CI/CD variable (${tokenVariable})` : 'secret';
  if (outcome !== 'written')
    return [
      { by: 'show', lines: [`For ${target}, with HOSTED_RUNNER_GITLAB_TOKEN as a ${kept}:`, ''] },
      { by: 'write', lines: [pipeline.trimEnd()] },
    ];
  return [
    {
      by: 'show',
      lines: [
        `Add HOSTED_RUNNER_GITLAB_TOKEN as a ${kept}.`,
        ...(ci === 'gitlab'
          ? [
              `Create the two schedules that ${target} describes.`,
              'This command sets the variable, the hourly schedule and the settings of the project:',
              `  ${commandOf({ command: 'setup gitlab --store-token', ...named }, undefined)}`,
            ]
          : []),
      ],
    },
  ];
}

function addedParts({
  repository: { ci },
  stacks,
  pipeline,
  hasBootstrap,
}: Extract<StartReport, { kind: 'added' }>): Part[] {
  const names = stacks.join(', ');
  const target = ciPaths[ci];
  return [
    {
      by: 'show',
      lines: [
        ...(hasBootstrap
          ? [
              `Add ${stacks.map((name) => `"${name}"`).join(', ')} to stacks in ${bootstrapDirectory}/terraform.tfvars.`,
              'Then an administrator of AWS runs:',
              `  terraform -chdir=${bootstrapDirectory} apply`,
              '',
            ]
          : []),
        ...(ci === 'gitlab'
          ? [`In ${target}, add ${names} to runner_names of finalize, and this to include:`]
          : [`In ${target}, add this to jobs. Also add ${names} to your finalize workflow.`]),
        '',
      ],
    },
    { by: 'write', lines: [pipeline.trimEnd()] },
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

/** Names the configuration unless commands read it by default. */
function configOf({ path, usual }: StartReport): { readonly config?: string } {
  return path === usual ? {} : { config: inShell`--config ${path}` };
}

function checks(report: StartReport): string[] {
  const validate = commandOf({ command: 'validate', ...configOf(report) }, undefined);
  if (report.kind === 'added' || !report.copiesModule) return [`Then check it: ${validate}`];
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
function placesToFill({ filled }: StartReport): { path: string; line: number; content: string }[] {
  return filled.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((content, index) => ({ path, line: index + 1, content: content.trim() }))
      .filter(({ content }) => !content.startsWith('#') && content.includes(placeholder)),
  );
}
