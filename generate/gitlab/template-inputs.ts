import type { TemplateInput } from '../../src/config/inputs/template-input.ts';
import { type KeyName, keyTable } from '../../src/domain/keys/key-table.ts';
import { deployInputs, forHealthcheck, forRecovery, forSchedule } from './template-own-inputs.ts';

export interface Template {
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly TemplateInput[];
}

/** What can be included; each is `templates/{name}/template.yml`. */
export const templates: readonly Template[] = [
  {
    name: 'deploy',
    summary: 'Replaces the runners of one stack.',
    inputs: [...deployInputs, ...keyInputs(['drain.force_after'])],
  },
  {
    name: 'finalize',
    summary: 'For a schedule: finishes what a cancelled or failed pipeline left, stack by stack.',
    inputs: [...forSchedule, ...keyInputs(['drain.force_after'])],
  },
  {
    name: 'healthcheck',
    summary: 'For a schedule: collects evidence of the active shard and changes nothing.',
    inputs: forHealthcheck,
  },
  {
    name: 'recover',
    summary: 'Manual jobs for whoever is on call.',
    inputs: [...forRecovery, ...keyInputs(['drain.force_after'])],
  },
];

export function findTemplate(name: string): Template {
  const found = templates.find((template) => template.name === name);
  if (found === undefined) throw new RangeError(`There is no template "${name}".`);
  return found;
}

/**
 * Keys of the configuration that are inputs as well: what a person decides for one pipeline in an
 * incident. Everything else is in the file, which every pipeline has. Empty means that the file decides,
 * as an empty variable does; the program checks what is given as it checks the variable.
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
