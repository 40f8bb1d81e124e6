import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

/** @returns {Promise<import('./generators.js').Generator[]>} */
export async function terraformGenerators() {
  const { moduleFolders, renderModuleReadme } = await compiled('module-readme');
  const { renderRootModuleFile } = await compiled('root-module-file');
  return [
    ...moduleFolders.map((/** @type {string} */ folder) => ({
      name: 'a module of Terraform',
      output: `${folder}/README.md`,
      load: async () => {
        const source = filesOf(folder, false).filter(([path = '']) => path.endsWith('.tf'));
        return renderModuleReadme(folder, source.map(([, text]) => text).join('\n'));
      },
    })),
    {
      name: 'what init --terraform writes',
      output: 'src/cli/starting/root-module.ts',
      load: async () => renderRootModuleFile(Object.fromEntries(filesOf('terraform', true))),
    },
  ];
}

/** Reads the paths below a folder, in a fixed order, with their texts. */
function filesOf(/** @type {string} */ folder, /** @type {boolean} */ recursive) {
  return readdirSync(join(root, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.terraform'))
    .sort()
    .map((path) => [path.slice(join(root, folder).length + 1), readFileSync(path, 'utf8')]);
}

/** Returns the URL of a compiled file: the type checker does not follow a URL. */
function compiled(/** @type {string} */ name) {
  return import(new URL(`../../build/generate/terraform/${name}.js`, import.meta.url).href);
}
