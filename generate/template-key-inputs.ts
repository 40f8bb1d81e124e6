import type { TemplateInput } from '../src/config/inputs/template-input.ts';
import { type KeyName, keyTable } from '../src/config/keys/table.ts';
import { addresses } from '../src/config/rules/authority.ts';

/**
 * Keys of the configuration that are inputs as well, with `gitlab.url` always among them. `parts`
 * are sections or single keys. Empty means that the file decides, as an empty variable does; the
 * program checks what is given as it checks the variable.
 */
export function keyInputs(parts: readonly string[]): readonly TemplateInput[] {
  const wanted = ['gitlab', ...parts];
  return keyTable
    .filter(({ pipeline }) => pipeline === true)
    .filter(({ name }) => wanted.some((part) => name === part || name.startsWith(`${part}.`)))
    .map(({ input, description, name, accepts, variable }) => ({
      name: input,
      type: 'string',
      description: `${description}${authorityOf(name)}`,
      default: '',
      expected: accepts.told,
      variable,
    }));
}

function authorityOf(name: KeyName): string {
  return addresses.includes(name)
    ? ' It may repeat the file, or CI_SERVER_URL where the file is silent, and say nothing else.'
    : '';
}
