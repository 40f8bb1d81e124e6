import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBundle } from './bundle/bundle.js';
import { root } from './run.js';

// usage: node scripts/build.js [--check]
const committed = join(root, 'dist');

if (process.argv.includes('--check')) await compareWithCommitted();
else await writeBundle(committed);

async function compareWithCommitted() {
  const folder = mkdtempSync(join(tmpdir(), 'rebuilt-'));
  try {
    await writeBundle(folder);
    const stale = differences(contentOf(folder), contentOf(committed));
    if (stale.length === 0) return;
    console.error(`dist/ is not what the sources build:\n${stale.join('\n')}`);
    console.error('Run `npm run build` and commit dist/.');
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Map<string, string>} */
function contentOf(/** @type {string} */ folder) {
  const content = new Map();
  for (const entry of listOf(folder)) {
    if (entry.isDirectory()) content.set(entry.name, 'a folder');
    else content.set(entry.name, readFileSync(join(folder, entry.name)).toString('base64'));
  }
  return content;
}

function listOf(/** @type {string} */ folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param {Map<string, string>} rebuilt @param {Map<string, string>} present */
function differences(rebuilt, present) {
  const names = [...new Set([...rebuilt.keys(), ...present.keys()])].sort();
  return names
    .filter((name) => rebuilt.get(name) !== present.get(name))
    .map((name) => {
      if (!present.has(name)) return `  missing    ${name}`;
      return rebuilt.has(name) ? `  different  ${name}` : `  left over  ${name}`;
    });
}
