import { type KeyName, keyTable } from '../../domain/keys/key-table.ts';
import { deployInputs, forHealthcheck, forRecovery, forSchedule } from './component-own-inputs.ts';
import type { TemplateInput } from './template-input.ts';

export interface Template {
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly TemplateInput[];
}

/** Templates that can be included, each as `templates/{name}/template.yml`. */
export const templates: readonly Template[] = [
  {
    name: 'deploy',
    summary: 'Replaces the runners of one stack.',
    inputs: [...deployInputs, ...keyInputs(['drain.force_after'])],
  },
  {
    name: 'finalize',
    summary:
      'For a schedule: finishes what cancelled or failed pipelines left unfinished, one job per stack.',
    inputs: [...forSchedule, ...keyInputs(['drain.force_after'])],
  },
  {
    name: 'healthcheck',
    summary: 'For a schedule: collects evidence of the active shard and changes nothing.',
    inputs: forHealthcheck,
  },
  {
    name: 'recover',
    summary: 'Manual jobs for incidents.',
    inputs: [...forRecovery, ...keyInputs(['drain.force_after'])],
  },
];

export function findTemplate(name: string): Template {
  const found = templates.find((template) => template.name === name);
  if (found === undefined) throw new RangeError(`There is no template "${name}".`);
  return found;
}

/**
 * Returns inputs for configuration keys that an operator may set for one pipeline in an incident.
 * All other keys are in the file only, which every pipeline has. With an empty input, as with an
 * empty variable, the file decides. hosted-runner checks the value like the variable.
 */
function keyInputs(names: readonly KeyName[]): readonly TemplateInput[] {
  return keyTable
    .filter(({ name, pipeline }) => pipeline === true && names.includes(name))
    .map(({ input, description, accepts, variable }) => ({
      name: input,
      type: 'string',
      description,
      default: '',
      expected: accepts.typeText,
      variable,
    }));
}
