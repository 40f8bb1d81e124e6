import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

const names = ['deploy', 'finalize', 'healthcheck', 'recover'];

/** What comes from the inputs of the GitLab templates. */
export const templateGenerators = [
  ...names.map(fromTemplate),
  ...names.map((name) => ({
    name: 'the inputs of the GitLab templates',
    output: `templates/${name}/README.md`,
    load: async () => (await templateText()).renderComponentReadme(name),
  })),
  {
    name: 'the inputs of the GitLab templates',
    output: 'docs/use/inputs-gitlab.md',
    load: async () => (await templateText()).renderInputReference(),
  },
];

/** A template's header and variables. */
function fromTemplate(/** @type {string} */ name) {
  const output = `templates/${name}/template.yml`;
  return {
    name: 'the inputs of the GitLab templates',
    output,
    load: async () =>
      (await templateText()).renderTemplate(name, readFileSync(join(root, output), 'utf8')),
  };
}

function templateText() {
  // By an address, so that the type checker does not follow it into compiled files.
  return import(new URL('../../build/generate/gitlab/template-text.js', import.meta.url).href);
}
