import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.js';

/**
 * Packages that are loaded before the first request to GitLab, and what of them is used. ncc takes
 * their CommonJS edition, fifty modules each in a function of its own; the edition for browsers is
 * plain ESM, so that what nobody uses falls away and the rest is one module: half the time to load.
 */
const hoisted = [
  {
    name: 'yaml',
    used: ['Alias', 'LineCounter', 'isMap', 'isScalar', 'isSeq', 'parseDocument'],
  },
];

/** Puts them where the compiled sources find them first. */
export async function writeHoisted(/** @type {string} */ folder) {
  for (const { name, used } of hoisted) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    await build({
      stdin: { contents: `export { ${used.join(', ')} } from '${name}';`, resolveDir: root },
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'node20',
      outfile: join(target, 'index.js'),
      logLevel: 'warning',
    });
    const manifest = { name, type: 'module', main: 'index.js', sideEffects: false };
    writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  }
}
