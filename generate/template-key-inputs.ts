import type { TemplateInput } from '../src/config/inputs/template-input.ts';
import { type KeyName, keyTable } from '../src/config/keys/table.ts';

/**
 * Keys of the configuration that are inputs as well: what a person decides for one pipeline in an
 * incident. Everything else is in the file, which every pipeline has. Empty means that the file decides,
 * as an empty variable does; the program checks what is given as it checks the variable.
 */
export function keyInputs(names: readonly KeyName[]): readonly TemplateInput[] {
  return keyTable
    .filter(({ name, pipeline }) => pipeline === true && names.includes(name))
    .map(({ input, description, accepts, variable }) => ({
      name: input,
      type: 'string',
      description,
      default: '',
      expected: accepts.told,
      variable,
    }));
}
