import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.js';

// usage: npm run bench:stacks -- [STACKS]
const outfile = join(root, 'build', 'stacks', 'main.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/stacks/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
