import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

/**
 * Lists the policies and the table of docs/use/permissions.md, from one table of actions.
 * @returns {Promise<import('./generators.js').Generator[]>}
 */
export async function iamGenerators() {
  // By a URL: the type checker must not follow it into compiled files.
  const address = new URL('../../build/generate/policies.js', import.meta.url).href;
  const { bootstrapFiles, policyFiles, renderPermissions } = await import(address);
  const ofTerraform = new URL(
    '../../build/generate/terraform/terraform-policies.js',
    import.meta.url,
  ).href;
  const { renderTerraformPermissions } = await import(ofTerraform);
  const name = 'the table of permissions';
  return [
    ...[...policyFiles(), ...bootstrapFiles()].map(
      (/** @type {{ path: string, text: string }} */ { path, text }) => ({
        name,
        output: path,
        load: async () => text,
      }),
    ),
    {
      name,
      output: 'docs/reference/terraform-permissions.md',
      load: async () => renderTerraformPermissions(),
    },
    {
      name,
      output: 'docs/use/permissions.md',
      load: async () => {
        const text = readFileSync(join(root, 'docs/use/permissions.md'), 'utf8');
        const begin = '<!-- generated: the actions of AWS -->\n';
        const end = '\n<!-- end -->';
        const [before = '', rest = ''] = text.split(begin);
        return `${before}${begin}${renderPermissions()}${end}${rest.split(end)[1] ?? ''}`;
      },
    },
  ];
}
