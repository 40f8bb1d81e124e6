import { join } from 'node:path';
import { build } from 'esbuild';
import { root, runNode } from './run.js';

/**
 * Runs a TypeScript program with the given arguments and returns its exit code. It is bundled as
 * one file, for itself and its worker threads, because Node 20 reads no TypeScript.
 * @param {string} entryPoint @param {string} outfile both relative to the repository
 * @param {string[]} nodeArgs
 */
export async function runBundled(entryPoint, outfile, nodeArgs = []) {
  const program = join(root, outfile);
  await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
  process.exitCode = runNode([...nodeArgs, program, ...process.argv.slice(2)]);
}
