import { invalid, notFound } from './refusal.ts';

/** Workflow that a dispatch can start, with its inputs; true: required. */
const workflows: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  // As in examples/github-canary.
  'hosted-runner-canary.yml': { canary_label: true, canary_id: false },
  'ci.yml': {},
};
const branches = ['main', 'feature'];

/** @throws Refusal 404 for a workflow that the repository does not have */
export function requireWorkflow(name: string): Readonly<Record<string, boolean>> {
  const inputs = Object.hasOwn(workflows, name) ? workflows[name] : undefined;
  if (inputs === undefined) throw notFound();
  return inputs;
}

/**
 * Checks a dispatch in GitHub's order: workflow, ref, unknown inputs, missing inputs.
 * https://docs.github.com/rest/actions/workflows#create-a-workflow-dispatch-event
 */
export function checkDispatch(
  name: string,
  { ref, inputs }: { ref: string; inputs: Readonly<Record<string, string>> },
): void {
  const known = requireWorkflow(name);
  if (!branches.includes(ref.replace(/^refs\/heads\//, '')))
    throw invalid(`No ref found for: ${ref}`);
  const unknown = Object.keys(inputs).filter((input) => !Object.hasOwn(known, input));
  if (unknown.length > 0) throw invalid(`Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  const missing = Object.keys(known).find((input) => known[input] && !inputs[input]);
  if (missing !== undefined) throw invalid(`Required input '${missing}' not provided`);
}
