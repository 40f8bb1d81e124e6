import { runNode, runPackage } from './run.js';

// usage: node scripts/check.js [--without-tests]
// Every part runs: one run shows all problems.
const parts = [
  { name: 'types', run: () => tool('typescript', 'tsc', ['--noEmit', '-p', 'tsconfig.test.json']) },
  {
    name: 'lint',
    run: () => tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']),
  },
  { name: 'generated files', run: () => runNode(['scripts/generate.js', '--check']) },
  { name: 'bundle', run: () => runNode(['scripts/build.js', '--check']) },
];
if (!process.argv.includes('--without-tests')) {
  parts.push({ name: 'tests', run: () => runNode(['scripts/jest.js', 'unit']) });
}

const failed = parts.filter(({ name, run }) => {
  const startedAt = performance.now();
  const ok = run() === 0;
  console.log(
    `${ok ? '✔' : '✖'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
  );
  return !ok;
});
if (failed.length > 0) {
  console.error(`Not in order: ${failed.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
}

/** @param {string} packageName @param {string} command @param {string[]} args */
function tool(packageName, command, args) {
  return runPackage({ packageName, command, args });
}
