import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.js';

/**
 * Packages that every stage loads, and what of them is used. ncc takes their CommonJS edition, fifty
 * modules each in a function of its own; of the ESM edition what nobody uses falls away, and the rest
 * is one module: half the time to load.
 */
const hoisted = [
  {
    name: 'yaml',
    used: ['Alias', 'LineCounter', 'isMap', 'isScalar', 'isSeq', 'parseDocument'],
  },
  {
    // The same classes without the default requester, in whose place we put our own. `rest` wraps
    // all of GitLab's resources, used or not.
    name: '@gitbeaker/rest',
    from: '@gitbeaker/core',
    used: [
      'GroupMembers',
      'Jobs',
      'Metadata',
      'PersonalAccessTokens',
      'Pipelines',
      'ProjectMembers',
      'Projects',
      'Runners',
      'Users',
    ],
  },
];

/** For the CommonJS packages below them, which ask for modules of Node. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire('/');`;

/**
 * Puts them where the compiled sources find them first.
 * @returns {Promise<string[]>} the files that went into them, for their licences
 */
export async function writeHoisted(/** @type {string} */ folder) {
  const files = [];
  for (const { name, from = name, used } of hoisted) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    const { metafile } = await build({
      stdin: { contents: `export { ${used.join(', ')} } from '${from}';`, resolveDir: root },
      bundle: true,
      format: 'esm',
      ...(from === name ? { platform: 'neutral' } : { platform: 'node', banner: { js: banner } }),
      target: 'node20',
      metafile: true,
      outfile: join(target, 'index.js'),
      logLevel: 'warning',
    });
    files.push(...Object.keys(metafile.inputs));
    const manifest = { name, type: 'module', main: 'index.js', sideEffects: false };
    writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  }
  return files;
}
