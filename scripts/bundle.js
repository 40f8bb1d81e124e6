import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minify } from '@swc/core';
import { writeHoisted } from './hoisted.js';
import { licensesOf } from './licenses.js';
import { capturePackage, root } from './run.js';

const shebang = '#!/usr/bin/env node\n';

/** Compiles src/ and writes the bundle: the entry, its chunks, licenses.txt. The same input gives the same bytes. */
export async function writeBundle(/** @type {string} */ folder) {
  rmSync(join(root, 'build'), { recursive: true, force: true });
  await must({ packageName: 'typescript', command: 'tsc', args: [] });
  const besideSources = join(root, 'build', 'node_modules');
  const hoisted = await writeHoisted(join(root, 'build'));
  const staging = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const statsPath = join(staging, 'stats.json');
    await must({
      packageName: '@vercel/ncc',
      command: 'ncc',
      args: [
        'build',
        'build/src/main.js',
        '--out',
        join(staging, 'out'),
        '--stats-out',
        statsPath,
        '--no-cache',
        '--quiet',
      ],
    });
    await minifyAll(join(staging, 'out'));
    const stats = JSON.parse(readFileSync(statsPath, 'utf8'));
    writeFileSync(join(staging, 'out', 'licenses.txt'), licensesOf(stats, hoisted));
    // ncc does not clean, and the names of chunks change with the code.
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(staging, 'out'), folder, { recursive: true });
    chmodSync(join(folder, 'index.js'), 0o755);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    // Whoever runs build/ without the bundle has the package itself.
    rmSync(besideSources, { recursive: true, force: true });
  }
}

/** ncc minifies the entry only, and most of the code is in the chunks. */
async function minifyAll(/** @type {string} */ folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const path = join(folder, name);
    const source = readFileSync(path, 'utf8').replace(/^#!.*\n/, '');
    const { code } = await minify(source, {
      module: true,
      ecma: 2022,
      // The AWS SDK and zod tell errors and classes apart by their names.
      compress: { keep_classnames: true, keep_fnames: true },
      mangle: { keep_classnames: true, keep_fnames: true },
      format: { comments: false },
    });
    writeFileSync(path, name === 'index.js' ? `${shebang}${code}\n` : `${code}\n`);
  }
}

/** @param {{ packageName: string, command: string, args: string[] }} call */
async function must(call) {
  const { exitCode, output } = await capturePackage(call);
  if (exitCode !== 0) throw new Error(`${call.command} ended with ${exitCode}\n${output}`);
}
