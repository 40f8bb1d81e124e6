import type { TemplateInput } from '../src/config/inputs/template-input.ts';
import { type LeafName, listLeaves } from '../src/config/keys/leaf.ts';
import { addresses } from '../src/config/rules/authority.ts';

/**
 * Keys of the configuration that are inputs as well, with `gitlab.url` always among them. `parts`
 * are sections or single keys. Empty means that the file decides, as an empty variable does; the
 * program checks what is given as it checks the variable.
 */
export function keyInputs(parts: readonly string[]): readonly TemplateInput[] {
  const wanted = ['gitlab', ...parts];
  return listLeaves()
    .filter(({ facts }) => facts.faces.includes('template'))
    .filter(({ name }) => wanted.some((part) => name === part || name.startsWith(`${part}.`)))
    .map((leaf) => ({
      name: leaf.path.join('_'),
      type: 'string',
      description: `${leaf.facts.description}${authorityOf(leaf.name)}`,
      default: '',
      expected: kindOf(leaf.facts.unit),
      variable: leaf.variable,
    }));
}

function authorityOf(name: LeafName): string {
  return addresses.includes(name)
    ? ' It may repeat the file, or CI_SERVER_URL where the file is silent, and say nothing else.'
    : '';
}

function kindOf(unit: string | undefined): string {
  if (unit === 'duration') return 'duration';
  return unit === 'url' ? 'URL' : 'text';
}
