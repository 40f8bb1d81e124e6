import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

/**
 * Collects the licences of all packages in the bundle from its list of modules. ncc's own --license
 * loses packages with chunks.
 * @param {readonly unknown[]} programs
 */
export function licensesOf(programs) {
  return [...new Set(programs.flatMap((stats) => [...packageFoldersIn(stats)]))]
    .map((folder) => entryOf(folder))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, text }) => `${name}\n${text.trim()}\n`)
    .join('\n');
}

/** @returns {Set<string>} folders relative to the root, nested copies of a package included */
function packageFoldersIn(/** @type {unknown} */ stats) {
  const folders = new Set();
  for (const name of moduleNames(stats)) {
    const match =
      /^(?:.*?\/)?((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)*?node_modules\/(?:@[^/]+\/)?[^/|]+)\/(?!.*node_modules\/)/.exec(
        name,
      );
    if (match?.[1]) folders.add(match[1]);
  }
  return folders;
}

/** @returns {Generator<string>} */
function* moduleNames(/** @type {any} */ stats) {
  for (const module of stats.modules ?? []) {
    if (typeof module.name === 'string') yield module.name;
    yield* moduleNames(module);
  }
}

function entryOf(/** @type {string} */ folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder))
    .sort()
    .find((name) => /^(licen[cs]e|copying)/i.test(name));
  const path = file ? join(root, folder, file) : undefined;
  // Some packages ship no text: their declared licence is then the only source.
  const text = path && existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : '';
  return { name: `${manifest.name} ${manifest.version} (${manifest.license})`, text };
}
