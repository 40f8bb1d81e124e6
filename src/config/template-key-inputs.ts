import { type Leaf, listLeaves } from './leaf.ts';
import type { TemplateInput } from './template-input.ts';

/**
 * Keys of the configuration that are inputs as well, with `gitlab.url` always among them. `parts`
 * are sections or single keys. Empty means that the file decides, as an empty variable does.
 */
export function keyInputs(parts: readonly string[]): readonly TemplateInput[] {
  const wanted = ['gitlab', ...parts];
  return listLeaves()
    .filter(({ facts }) => facts.faces.includes('template'))
    .filter(({ name }) => wanted.some((part) => name === part || name.startsWith(`${part}.`)))
    .map((leaf) => ({
      name: leaf.path.join('_'),
      type: 'string',
      description: leaf.facts.description,
      default: '',
      regex: `^(?:${patternOf(leaf)})?$`,
      variable: leaf.variable,
    }));
}

/**
 * Narrower than the schema: the text lands in a quoted scalar before YAML is read, and GitLab's RE2
 * knows no lookahead. The program checks the value again.
 */
function patternOf(leaf: Leaf): string {
  switch (leaf.facts.unit) {
    case 'duration':
      return `${acceptsNone(leaf) ? 'none|' : ''}(?:[0-9]{1,9}(?:ms|s|m|h|d)){1,6}`;
    case 'url':
      return 'https?://[A-Za-z0-9._~:/-]{1,500}';
    case undefined:
      return leaf.type === 'text' ? '[A-Za-z0-9_./@+{}-]{1,500}' : '[A-Za-z0-9]{1,20}';
    default:
      return '[A-Za-z0-9_./@+,-]{1,500}';
  }
}

function acceptsNone({ schema }: Leaf): boolean {
  return schema.safeParse('none').success;
}
