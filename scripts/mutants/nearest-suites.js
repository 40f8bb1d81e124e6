import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Chooses the closest suites that reach the sources: those that share most words of the path, then
 * those with the fewest imports between. They detect most mutants, and a run of all suites takes a
 * night.
 * @param {{ sources: string[], count: number, isSuite: (file: string) => boolean, folders: string[] }} wanted
 * @returns {string[]}
 */
export function nearestSuites({ sources, count, isSuite, folders }) {
  const words = new Set(sources.flatMap(wordsOf));
  const shared = (/** @type {string} */ suite) =>
    wordsOf(suite).filter((one) => words.has(one)).length;
  return [...findDistances(sources, readImporters(folders))]
    .filter(([file]) => isSuite(file))
    .map(([suite, distance]) => ({ suite, distance, shared: shared(suite) }))
    .sort((one, other) => other.shared - one.shared || one.distance - other.distance)
    .slice(0, count)
    .map(({ suite }) => suite);
}

/** @param {string[]} sources @param {Map<string, string[]>} importers */
function findDistances(sources, importers) {
  const distances = new Map(sources.map((one) => [one, 0]));
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** @param {string[]} folders @returns {Map<string, string[]>} importers of each file */
function readImporters(folders) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((one) => join(folder, one)),
  );
  for (const file of files.filter((one) => one.endsWith('.ts'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(file), name);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** @param {string} path */
function wordsOf(path) {
  return [...new Set(path.replace(/(\.test)?\.ts$/, '').split(/[/-]/))];
}
