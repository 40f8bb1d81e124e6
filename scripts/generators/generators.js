import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';
import { githubGenerators } from './github-generators.js';
import { helpGenerator } from './help-generator.js';
import { iamGenerators } from './iam-generators.js';
import { knownAnswersGenerator } from './known-answers-generator.js';
import { pictureGenerators } from './picture-generators.js';
import { templateGenerators } from './template-generators.js';
import { terraformGenerators } from './terraform-generators.js';

/** @typedef {{ name: string, output: string, load: () => Promise<string> }} Generator */

/**
 * Lists files that are generated from the sources and committed. It runs after tsc, because it
 * imports from build/. `npm run generate` writes them, `npm run check` compares them.
 * @returns {Promise<Generator[]>}
 */
export async function listGenerators() {
  const lists = [terraformGenerators(), iamGenerators(), templateGenerators()];
  return [...ownGenerators, ...(await Promise.all(lists)).flat()];
}

/** @type {Generator[]} */
const ownGenerators = [
  fromConfiguration('schema/hosted-runners.schema.json'),
  fromConfiguration('docs/use/configuration.md'),
  ...githubGenerators,
  helpGenerator,
  {
    name: 'the pages of errors',
    output: 'src/cli/help/error-pages.ts',
    load: async () => {
      const address = new URL('../../build/generate/error-pages.js', import.meta.url).href;
      const { renderErrorPages } = await import(address);
      return renderErrorPages(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'));
    },
  },
  {
    name: 'what --json prints',
    output: 'schema/output.schema.json',
    load: async () => {
      const address = new URL('../../build/generate/output/output-schema.js', import.meta.url).href;
      const { renderOutputSchema } = await import(address);
      return renderOutputSchema();
    },
  },
  knownAnswersGenerator,
  {
    name: 'the cells',
    output: 'docs/reference/outcomes.md',
    load: async () => {
      const address = new URL('../../build/model/cells-reference.js', import.meta.url).href;
      const { renderCells } = await import(address);
      return renderCells();
    },
  },
  ...pictureGenerators,
  {
    name: 'the guards',
    output: 'docs/reference/guards.md',
    load: async () => {
      const address = new URL('../../build/model/guards-reference.js', import.meta.url).href;
      const { renderGuards } = await import(address);
      return renderGuards();
    },
  },
  {
    name: 'the findings',
    output: 'docs/reference/findings.md',
    load: async () => {
      const address = new URL('../../build/model/findings-reference.js', import.meta.url).href;
      const { renderFindings } = await import(address);
      return renderFindings(await words());
    },
  },
  {
    name: 'the diagnoses',
    output: 'docs/operate/diagnosis.md',
    load: async () => {
      const address = new URL('../../build/model/diagnosis-reference.js', import.meta.url).href;
      const { renderDiagnoses } = await import(address);
      return renderDiagnoses(await words());
    },
  },
];

/** Returns GitLab's terms for the documents; docs/use/github-runners.md has GitHub's. */
async function words() {
  const { gitlabTerms } = await import(
    new URL('../../build/src/adapters/gitlab/gitlab-terms.js', import.meta.url).href
  );
  return gitlabTerms;
}

function fromConfiguration(/** @type {string} */ output) {
  return {
    name: 'the keys of the configuration',
    output,
    load: async () => {
      // By a URL: the type checker must not follow it into compiled files.
      const compiled = await import(
        new URL('../../build/generate/configuration/generators.js', import.meta.url).href
      );
      return compiled.generators
        .find((/** @type {{ path: string }} */ one) => one.path === output)
        .render();
    },
  };
}
