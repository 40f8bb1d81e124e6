import { describe, expect, test } from '@jest/globals';
import { longest as suites } from '../../../scripts/jest/longest-first.js';
import { readSources } from '../source.ts';
import { filesBelow, read } from '../tree.ts';

const written = ['src', 'sandbox', 'generate', 'model', 'test', 'scripts']
  .flatMap(filesBelow)
  .filter((path) => /\.(ts|js)$/.test(path));

const longest = 250;
const mostInAFolder = 15;
/** Limit of files in a test folder, which may exceed the limit of source folders. */
const mostInAFolderOfTests = 18;

/**
 * Folders whose files are found by a known name. More folders would only make the search harder
 * (docs/decisions/0019-code-structure.md).
 */
const folderLimits: Readonly<Record<string, number>> = {
  'src/errors': 24,
};

const few = 45;
/**
 * Maximum number of short files. A short file belongs into its only importer. Exceptions are a name
 * that readers search for, a file that alone may load a package, and a full importer. The limit
 * makes each new exception visible.
 */
const mostOfAFewLines = 48;

/** Vague names, which collect unrelated code. */
const vague = /(^|\/)(utils?|helpers?|types?|commons?|misc)(\/|\.ts$)/;
const vagueSuffix = /-(service|manager|impl|helper|util)s?\.ts$/;

describe('files', () => {
  test(`no file is longer than ${longest} lines`, () => {
    const tooLong = written
      .map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > longest)
      .map(({ path, lines }) => `${path}: ${lines}`);
    expect(tooLong).toEqual([]);
  });

  test(`no folder has more than ${mostInAFolder} files, or ${mostInAFolderOfTests} of tests`, () => {
    const counts = new Map<string, number>();
    for (const path of written) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const most = (folder: string) =>
      folderLimits[folder] ?? (folder.startsWith('test/') ? mostInAFolderOfTests : mostInAFolder);
    const tooFull = [...counts].filter(([folder, count]) => count > most(folder));
    expect(tooFull).toEqual([]);
    expect(counts.size).toBeGreaterThan(100);
  });

  test(`files of less than ${few} lines with one importer stay as rare as they are`, () => {
    const importers = new Map<string, number>();
    for (const { imports } of readSources())
      for (const path of new Set(imports.map((one) => one.path)))
        if (path !== undefined) importers.set(path, (importers.get(path) ?? 0) + 1);
    const found = [...importers]
      .filter(([path, count]) => count === 1 && read(path).trimEnd().split('\n').length < few)
      .map(([path]) => path);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length > mostOfAFewLines ? found : []).toEqual([]);
  });

  test('files are nouns of the domain', () => {
    const offences = written.filter(
      (path) => !/^(test|scripts)\//.test(path) && (vague.test(path) || vagueSuffix.test(path)),
    );
    expect(offences).toEqual([]);
  });

  test('suites that are known to take long exist, each listed once', () => {
    expect(suites.filter((path) => !written.includes(path))).toEqual([]);
    expect(new Set(suites).size).toBe(suites.length);
  });

  test('a test server does not fail a parallel test: test/support/answered.ts', () => {
    // Files with their own error handling state the reason.
    const unguarded = written.filter(
      (path) =>
        path.startsWith('test/') && /createServer\(\s*async [^{]*\{(?!\s*try \{)/.test(read(path)),
    );
    expect(unguarded).toEqual([]);
  });

  test('names are kebab-case', () => {
    expect(written.filter((path) => !/^[a-z0-9./-]+$/.test(path))).toEqual([]);
  });
});
