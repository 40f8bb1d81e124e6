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
 * Files that are written from the sources and committed. It runs after tsc, so it may import from build/,
 * where which files there are is known as well. `npm run generate` writes them, `npm run check` compares them.
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
    output: 'docs/understand/cells.md',
    load: async () => {
      const address = new URL('../../build/model/cells-reference.js', import.meta.url).href;
      const { renderCells } = await import(address);
      return renderCells();
    },
  },
  ...pictureGenerators,
  {
    name: 'the guards',
    output: 'docs/understand/guards.md',
    load: async () => {
      const address = new URL('../../build/model/guards-reference.js', import.meta.url).href;
      const { renderGuards } = await import(address);
      return renderGuards();
    },
  },
  {
    name: 'the runbook',
    output: 'docs/operate/runbook.md',
    load: async () => {
      const address = new URL('../../build/model/runbook.js', import.meta.url).href;
      const { renderRunbook } = await import(address);
      return renderRunbook(
        readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8'),
        await words(),
      );
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

/** The documents speak of GitLab; what GitHub's people say instead is in docs/use/github-runners.md. */
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
      // By an address, so that the type checker does not follow it into compiled files.
      const compiled = await import(
        new URL('../../build/generate/configuration/generators.js', import.meta.url).href
      );
      return compiled.generators
        .find((/** @type {{ path: string }} */ one) => one.path === output)
        .render();
    },
  };
}
