import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { minify } from '@swc/core';
import { digestFile, digestOfSources } from '../made-from.js';
import { capturePackage, root } from '../run.js';
import { programs, unusedBeginnings } from './bundles.js';
import { joinChunks } from './chunks.js';
import { licensesOf } from './licenses.js';
import { fileOfImport, pack } from './packing.js';

/** @typedef {import('./chunks.js').Stats} Stats */

const shebang = '#!/usr/bin/env node\n';

/**
 * Builds dist/ from TypeScript, with equal bytes for equal input. tsc compiles to build/. ncc packs
 * the main program and each separate program with their packages. The main program's chunks are
 * joined to the files that scripts/bundle/bundles.js names. swc removes spaces and comments.
 */
export async function writeBundle(/** @type {string} */ folder) {
  rmSync(join(root, 'build'), { recursive: true, force: true });
  const { exitCode, output } = await capturePackage({
    packageName: 'typescript',
    command: 'tsc',
    args: [],
  });
  if (exitCode !== 0) throw new Error(`tsc ended with ${exitCode}\n${output}`);
  const temporary = mkdtempSync(join(tmpdir(), 'bundle-'));
  // Not the temporary folder itself, which other users cannot read.
  const staging = join(temporary, 'dist');
  mkdirSync(staging);
  try {
    const stats = await writePrograms(staging);
    for (const name of readdirSync(staging)) await minifyFile(join(staging, name));
    writeFileSync(join(staging, 'licenses.txt'), licensesOf(stats));
    writeFileSync(join(staging, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(staging, digestFile), `${digestOfSources()}\n`);
    chmodSync(join(staging, 'index.js'), 0o755);
    rmSync(folder, { recursive: true, force: true });
    cpSync(staging, folder, { recursive: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @returns {Promise<Stats[]>} */
async function writePrograms(/** @type {string} */ folder) {
  const main = await pack('src/main', 'index.js', fileOfImport);
  for (const [name, source] of joinChunks(main)) writeFileSync(join(folder, name), source);
  const unused = unusedBeginnings();
  if (unused.length > 0)
    throw new Error(
      `scripts/bundle/bundles.js names chunks that no import() starts: ${unused.join(', ')}`,
    );
  const all = [main.stats];
  for (const [name, entry] of Object.entries(programs)) {
    // One file each, including modules that are imported on demand.
    const packed = await pack(entry, `${name}.js`, () => 'webpackMode: "eager"');
    writeFileSync(join(folder, `${name}.js`), packed.code);
    all.push(packed.stats);
  }
  return all;
}

async function minifyFile(/** @type {string} */ path) {
  const source = readFileSync(path, 'utf8').replace(/^#!.*\n/, '');
  const { code } = await minify(source, {
    module: true,
    ecma: 2022,
    // The AWS SDK and zod identify errors and classes by their names.
    compress: { keep_classnames: true, keep_fnames: true },
    mangle: { keep_classnames: true, keep_fnames: true },
    format: { comments: false },
  });
  writeFileSync(path, path.endsWith(`${sep}index.js`) ? `${shebang}${code}\n` : `${code}\n`);
}
