import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from '../run.js';
import { bundleOf, programs } from './bundles.js';

/** @typedef {{ code: string, assets: Record<string, { source: string | Buffer }>, stats: import('./chunks.js').Stats }} Packed */

const ncc = createRequire(import.meta.url)('@vercel/ncc');

/** Folder of the packed sources: the ones in build/ keep their original imports for tests. */
const folder = join(root, 'build', 'packed');
/** Path of that folder in the names of ncc's modules. */
export const packedFolder = './build/packed/';

/**
 * Packs a compiled program with its packages.
 * @param {string} entry from build/, without its extension
 * @param {string} filename
 * @param {(module: string) => string} hint for ncc, for modules that are imported on demand
 * @returns {Promise<Packed>}
 */
export async function pack(entry, filename, hint) {
  rmSync(folder, { recursive: true, force: true });
  for (const part of ['src', 'sandbox'])
    cpSync(join(root, 'build', part), join(folder, part), { recursive: true });
  try {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.name.endsWith('.js')) hintImports(join(file.parentPath, file.name), hint);
    const options = { cache: false, quiet: true, filename };
    const { code, assets, stats } = await ncc(join(folder, `${entry}.js`), options);
    return { code, assets, stats: stats.toJson(wanted) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns ncc's hint with the file of dist/ for one of the program's modules. */
export function fileOfImport(/** @type {string} */ module) {
  return `webpackChunkName: "${bundleOf(module)}"`;
}

const wanted = {
  all: false,
  ids: true,
  chunks: true,
  chunkRelations: true,
  chunkModules: true,
  modules: true,
  nestedModules: true,
  modulesSpace: 1e6,
  chunkModulesSpace: 1e6,
  nestedModulesSpace: 1e6,
};

/** @param {string} path @param {(module: string) => string} hint */
function hintImports(path, hint) {
  const source = readFileSync(path, 'utf8');
  const hinted = source.replace(/\bimport\('([^']+)'\)/g, (whole, /** @type {string} */ from) => {
    if (from.startsWith('node:')) return whole;
    const module = from.startsWith('.') ? moduleAt(resolve(dirname(path), from)) : from;
    const own = Object.entries(programs).find(([, program]) => program === module);
    return own === undefined
      ? `import(/* ${hint(module)} */ '${from}')`
      : `import(/* webpackIgnore: true */ './${own[0]}.js')`;
  });
  if (hinted !== source) writeFileSync(path, hinted);
}

function moduleAt(/** @type {string} */ path) {
  return relative(folder, path).split(sep).join('/').replace(/\.js$/, '');
}
