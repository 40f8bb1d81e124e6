import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.js';

// usage: npm run simulate -- [--depth 1|2|3] [--pct SEEDS] [--sequences RUNS] [--scenario TEXT] …
// One file for the program and its worker threads: Node 20 reads no TypeScript, and a bundle has no
// module loading in the middle of a schedule.
const folder = join(root, 'build', 'simulation');

await build({
  absWorkingDir: root,
  entryPoints: ['test/simulation/main.ts'],
  outfile: join(folder, 'simulate.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
const { status } = spawnSync(
  process.execPath,
  [join(folder, 'simulate.mjs'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
