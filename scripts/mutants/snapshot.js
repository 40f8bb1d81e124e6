import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { collecting } from './registry.js';

const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const { format } = createRequire(require.resolve('@jest/core'))('pretty-format');

/** Compares with the snapshot that jest has written; never writes one. */
export function matchSnapshot(/** @type {unknown} */ received) {
  const { snapshot, file } = collecting;
  snapshot.count += 1;
  const key = `${snapshot.test} ${snapshot.count}`;
  const wanted = snapshotsOf(file)[key]?.trim();
  const found = format(received, {
    escapeRegex: true,
    escapeString: false,
    indent: 2,
    printFunctionName: false,
    printBasicPrototype: false,
  });
  return {
    pass: wanted === found.trim(),
    message: () => (wanted === undefined ? `no snapshot ${key}` : `unlike snapshot ${key}`),
  };
}

/** @returns {Record<string, string>} */
function snapshotsOf(/** @type {string} */ file) {
  const path = join(dirname(file), '__snapshots__', `${basename(file)}.snap`);
  /** @type {Record<string, string>} */
  const exported = {};
  if (existsSync(path)) new Function('exports', readFileSync(path, 'utf8'))(exported);
  return exported;
}
