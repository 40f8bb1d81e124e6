import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.js';

/** What comes from the inputs of the GitLab templates. */
export const templateGenerators = [
  ...['deploy', 'finalize', 'healthcheck', 'recover'].flatMap(fromTemplate),
  {
    name: 'the inputs of the GitLab templates',
    output: 'docs/inputs-gitlab.md',
    load: async () => (await templateText()).renderInputReference(),
  },
];

/** A template's header and variables, and its copy for other ways to include it. */
function fromTemplate(/** @type {string} */ name) {
  const path = `templates/${name}/template.yml`;
  const rendered = async () =>
    (await templateText()).renderTemplate(name, readFileSync(join(root, path), 'utf8'));
  return [
    { name: 'the inputs of the GitLab templates', output: path, load: rendered },
    {
      name: path,
      output: `templates/${name}/include.yml`,
      load: async () => (await templateText()).renderIncludable(name, await rendered()),
    },
  ];
}

function templateText() {
  // By an address, so that the type checker does not follow it into compiled files.
  return import(new URL('../build/config/template-text.js', import.meta.url).href);
}
