import {
  entriesOf,
  entryOf,
  itemsOf,
  type PipelineFile,
  type PipelineValue,
  readPipelineFile,
} from '../../config/files/pipeline-file.ts';
import type { CheckedFiles, FileFindings } from '../../config/files/root-module-check.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import { listActionInputs } from '../github-action/input-list.ts';
import { listWorkflowInputs, workflowSecrets } from '../github-action/workflow-inputs.ts';
import { type AcceptedInput, judgeInputs } from './input-check.ts';
import { listPlaceholders } from './placeholder-lines.ts';
import type { ConfiguredStacks } from './stack-inputs.ts';

const folder = '.github/workflows';

/** Call of this project's workflow or action. */
interface Call {
  readonly kind: 'workflow' | 'action';
  readonly owner: string;
  readonly place: string;
  readonly file: PipelineFile;
  /** Job of a workflow call, or step of an action call. */
  readonly node: unknown;
}

/** Checks how the repository's workflows use the workflow and the action of this project. */
export async function checkGitHubWorkflows(
  files: CheckedFiles,
  stacks: ConfiguredStacks,
): Promise<FileFindings> {
  const names = (await files.list(folder)).map(({ name }) => name).sort();
  const problems: string[] = [];
  for (const name of names.filter((one) => /\.ya?ml$/.test(one))) {
    const path = `${folder}/${name}`;
    const found = await readPipelineFile(files, path, '1.2');
    if (found === undefined) continue;
    const { text, file } = found;
    // The workflow may belong to another project.
    if (text !== '' && !text.includes('hosted-runner-deploy')) continue;
    const calls = listCalls(file);
    problems.push(...file.problems, ...listPlaceholders(path, text));
    problems.push(...calls.flatMap((call) => judgeCall(call, stacks)));
  }
  return { problems, warnings: [] };
}

function listCalls(file: PipelineFile): Call[] {
  const jobs = entriesOf(file, entryOf(file, file.root, 'jobs')?.node);
  return jobs.flatMap((job) => {
    const steps = itemsOf(file, entryOf(file, job.node, 'steps')?.node);
    return [job.node, ...steps].flatMap((node) => {
      const uses = entryOf(file, node, 'uses');
      const match =
        /^([^/]+)\/hosted-runner-deploy(\/\.github\/workflows\/hosted-runner-deploy\.yml)?@/.exec(
          String(uses?.value),
        );
      if (uses === undefined || match === null) return [];
      const kind = match[2] === undefined ? ('action' as const) : ('workflow' as const);
      return [{ kind, owner: match[1] ?? '', place: uses.place, file, node }];
    });
  });
}

function judgeCall({ kind, owner, place, file, node }: Call, stacks: ConfiguredStacks): string[] {
  const given = entriesOf(file, entryOf(file, node, 'with')?.node);
  const inputs = new Map<string, PipelineValue>(given.map((one) => [one.name, one]));
  const problems = [
    ...(owner === 'OWNER' ? [`${place}: replace OWNER by the owner of hosted-runner-deploy`] : []),
    ...judgeInputs({ accepted: kind === 'action' ? ofAction() : ofWorkflow(), given, place }),
    ...(kind === 'workflow' ? judgeSecrets(file, node) : []),
  ];
  const config = inputs.get('config')?.value ?? 'hosted-runners.yml';
  // The inputs name stacks of another configuration.
  if (config !== stacks.path) return problems;
  return [...problems, ...stacks.judgeNames(inputs.get('runner_name'))];
}

function judgeSecrets(file: PipelineFile, node: unknown): string[] {
  const names = [...workflowSecrets.map(({ name }) => name as string), 'action_token'];
  return entriesOf(file, entryOf(file, node, 'secrets')?.node)
    .filter(({ name }) => !names.includes(name))
    .map(({ name, place }) => `${place}: unknown secret ${show(name)}${didYouMean(name, names)}`);
}

function ofWorkflow(): AcceptedInput[] {
  return listWorkflowInputs().map(({ name, type, required = false }) => ({
    name,
    type: type === 'string' ? 'any' : type,
    isRequired: required,
  }));
}

/** The action's inputs are texts, and GitHub converts other values. */
function ofAction(): AcceptedInput[] {
  return listActionInputs().map(({ name }) => ({ name, type: 'any', isRequired: false }));
}
