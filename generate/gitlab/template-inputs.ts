import type { TemplateInput } from '../../src/config/inputs/template-input.ts';
import { keyInputs } from '../template-key-inputs.ts';
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
