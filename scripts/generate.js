import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listGenerators } from './generators/generators.js';
import { capturePackage, root } from './run.js';

// usage: node scripts/generate.js [--check]
const check = process.argv.includes('--check');

const { exitCode, output } = await capturePackage({
  packageName: 'typescript',
  command: 'tsc',
  args: [],
});
if (exitCode === 0) await generate();
else {
  console.error(output);
  process.exitCode = 1;
}

async function generate() {
  for (const generator of await listGenerators()) {
    const path = join(root, generator.output);
    const wanted = await generator.load();
    if (contentOf(path) === wanted) continue;
    if (check) {
      console.error(
        `${generator.output} (${generator.name}) is out of date: run \`npm run generate\`.`,
      );
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, wanted);
      console.log(`Wrote ${generator.output}.`);
    }
  }
}

function contentOf(/** @type {string} */ path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
