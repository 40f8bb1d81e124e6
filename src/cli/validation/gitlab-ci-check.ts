import {
  entriesOf,
  entryOf,
  itemsOf,
  type PipelineFile,
  type PipelineValue,
  type ReadPipeline,
  readPipelineFile,
} from '../../config/files/pipeline-file.ts';
import type { CheckedFiles, FileFindings } from '../../config/files/root-module-check.ts';
import { judgeRuleList } from '../../config/inputs/component-inputs.ts';
import { templates } from '../../config/inputs/component-templates.ts';
import { checkedInputs } from '../../config/inputs/input-checks.ts';
import type { TemplateInput } from '../../config/inputs/template-input.ts';
import { show } from '../../domain/text/show.ts';
import { type AcceptedInput, hasExpression, judgeInputs } from './input-check.ts';
import { listPlaceholders } from './placeholder-lines.ts';
import type { ConfiguredStacks } from './stack-inputs.ts';

const gitlabFile = '.gitlab-ci.yml';

/** Inclusion of a template of this project. */
interface Inclusion {
  readonly template: string;
  readonly place: string;
  readonly inputs: ReadonlyMap<string, PipelineValue>;
}

/** Checks how `.gitlab-ci.yml`, with the local files that it includes, uses this project. */
export async function checkGitLabPipeline(
  files: CheckedFiles,
  stacks: ConfiguredStacks,
): Promise<FileFindings> {
  const read = await readWithLocalFiles(files, gitlabFile, new Set());
  const inclusions = read.flatMap(({ file }) => listInclusions(file));
  const unread = read.flatMap(({ text, file }) => (text === '' ? file.problems : []));
  // The pipeline may belong to other projects only.
  if (!read.some(({ text }) => text.includes('hosted-runner-deploy')))
    return { problems: unread, warnings: [] };
  const stages = read.flatMap(({ file }) => entryOf(file, file.root, 'stages')?.value ?? []);
  const findings = inclusions.map((one) => judgeInclusion(one, stacks, stages));
  return {
    problems: [
      ...read.flatMap(({ path, text, file }) => [
        ...file.problems,
        ...listPlaceholders(path, text),
      ]),
      ...findings.flatMap(({ problems }) => problems),
      ...findSharedPrefixes(inclusions),
    ],
    warnings: [
      ...findings.flatMap(({ warnings }) => warnings),
      ...read.flatMap(({ file }) => findAutoCancel(file)),
    ],
  };
}

async function readWithLocalFiles(
  files: CheckedFiles,
  path: string,
  visited: Set<string>,
): Promise<readonly ReadPipeline[]> {
  if (visited.has(path)) return [];
  visited.add(path);
  const found = await readPipelineFile(files, path, '1.1');
  if (found === undefined) return [];
  const { file } = found;
  const locals = includesOf(file).flatMap((node) => {
    const local = entryOf(file, node, 'local')?.value ?? (node as { value?: unknown }).value;
    return typeof local === 'string' && !/[*$:]/.test(local) ? [local.replace(/^\//, '')] : [];
  });
  const read = [found];
  for (const local of locals) read.push(...(await readWithLocalFiles(files, local, visited)));
  return read;
}

function includesOf(file: PipelineFile): readonly unknown[] {
  return itemsOf(file, entryOf(file, file.root, 'include')?.node).map(file.resolve);
}

/** Finds the inclusions by component address, or by project and file without the catalog. */
function listInclusions(file: PipelineFile): Inclusion[] {
  return includesOf(file).flatMap((node) => {
    const address = entryOf(file, node, 'component');
    const path = entryOf(file, node, 'file');
    const template =
      /\/hosted-runner-deploy\/(\w+)@/.exec(String(address?.value))?.[1] ??
      /^\/?templates\/(\w+)\/template\.yml$/.exec(String(path?.value))?.[1];
    const place = (address ?? path)?.place;
    if (template === undefined || place === undefined) return [];
    if (address === undefined && !isOwnProject(entryOf(file, node, 'project')?.value)) return [];
    const inputs = entriesOf(file, entryOf(file, node, 'inputs')?.node);
    return [{ template, place, inputs: new Map(inputs.map((one) => [one.name, one])) }];
  });
}

function isOwnProject(project: unknown): boolean {
  return typeof project === 'string' && project.endsWith('/hosted-runner-deploy');
}

function judgeInclusion(
  { template, place, inputs }: Inclusion,
  stacks: ConfiguredStacks,
  stages: readonly unknown[],
): FileFindings {
  const found = templates.find(({ name }) => name === template);
  if (found === undefined) {
    const names = templates.map(({ name }) => name).join(', ');
    return { problems: [`${place}: unknown component ${show(template)} (${names})`], warnings: [] };
  }
  const given = [...inputs].map(([name, one]) => ({ ...one, name }));
  const problems = judgeInputs({ accepted: found.inputs.map(toAccepted), given, place });
  const config = inputs.get('config')?.value ?? 'hosted-runners.yml';
  // The inputs name stacks of another configuration.
  if (config !== stacks.path) return { problems, warnings: [] };
  const stage = inputs.get('stage')?.value ?? 'deploy';
  const usual = ['.pre', 'build', 'test', 'deploy', '.post'];
  const known = stages.length === 0 ? usual : ['.pre', ...stages, '.post'];
  const ofStage =
    hasExpression(stage) || known.includes(stage)
      ? []
      : [`${inputs.get('stage')?.place ?? place}: stage: ${show(stage)} is not in stages`];
  return {
    problems: [
      ...problems,
      ...ofStage,
      ...judgeRulesOf(inputs.get('rules'), template === 'recover'),
      ...stacks.judgeNames(inputs.get('runner_name') ?? inputs.get('runner_names')),
      ...stacks.judgeTags(inputs.get('runner_tags'), inputs.get('runner_name')),
      ...(template === 'deploy' ? stacks.judgeCanary(inputs, place) : []),
    ],
    warnings: template === 'deploy' ? stacks.judgeCanaryName(inputs) : [],
  };
}

function toAccepted({ name, type, regex, ...input }: TemplateInput): AcceptedInput {
  const own = { name, type, isRequired: input.default === undefined };
  if (regex !== undefined) return { ...own, pattern: new RegExp(regex) };
  const checked = checkedInputs.find((one) => one.name === name);
  return checked === undefined
    ? own
    : { ...own, pattern: checked.pattern, expected: checked.expected };
}

function judgeRulesOf(rules: PipelineValue | undefined, isByHand: boolean): string[] {
  if (rules === undefined || !Array.isArray(rules.value)) return [];
  const list = rules.value.flat(10).filter((rule) => typeof rule === 'object' && rule !== null);
  return judgeRuleList(list, isByHand).map((text) => `${rules.place}: ${text.replace(/\.$/, '')}`);
}

/** Finds two inclusions whose jobs have the same names: GitLab would merge these jobs. */
function findSharedPrefixes(inclusions: readonly Inclusion[]): string[] {
  const seen = new Map<string, string>();
  return inclusions.flatMap(({ template, place, inputs }) => {
    const prefix = inputs.get('job_prefix')?.value ?? '';
    if (hasExpression(prefix)) return [];
    const key = `${template} ${String(prefix)}`;
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, place);
    return earlier === undefined
      ? []
      : [
          `${place}: the component ${template} is also included at ${earlier}; give each inclusion its own job_prefix`,
        ];
  });
}

function findAutoCancel(file: PipelineFile): string[] {
  const workflow = entryOf(file, file.root, 'workflow');
  const autoCancel = entryOf(file, workflow?.node, 'auto_cancel');
  const onFailure = entryOf(file, autoCancel?.node, 'on_job_failure');
  return onFailure?.value === 'all'
    ? [
        `${onFailure.place}: on_job_failure: all cancels the later jobs of a failed deployment; set none.`,
      ]
    : [];
}
