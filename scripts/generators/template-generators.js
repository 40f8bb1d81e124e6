import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

const name = 'the inputs of the GitLab templates';

/**
 * Lists the generated parts of the GitLab templates: of each its header, its variables and its
 * README.
 * @returns {Promise<import('./generators.js').Generator[]>}
 */
export async function templateGenerators() {
  const { templates } = await compiled('src/config/inputs/component-templates');
  const { renderTemplate, renderComponentReadme, renderInputReference } = await compiled(
    'generate/gitlab/template-text',
  );
  return [
    ...templates.flatMap((/** @type {{ name: string }} */ template) => {
      const output = `templates/${template.name}/template.yml`;
      return [
        {
          name,
          output,
          load: async () => renderTemplate(template.name, readFileSync(join(root, output), 'utf8')),
        },
        {
          name,
          output: `templates/${template.name}/README.md`,
          load: async () => renderComponentReadme(template.name),
        },
      ];
    }),
    { name, output: 'docs/use/inputs-gitlab.md', load: async () => renderInputReference() },
  ];
}

/** Returns the URL of a compiled file: the type checker does not follow a URL. */
function compiled(/** @type {string} */ file) {
  return import(new URL(`../../build/${file}.js`, import.meta.url).href);
}
