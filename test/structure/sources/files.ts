import { describe, expect, test } from '@jest/globals';
import { longest as suites } from '../../../scripts/jest/longest-first.js';
import { readSources } from '../source.ts';
import { filesBelow, read } from '../tree.ts';

const written = ['src', 'sandbox', 'generate', 'model', 'test', 'scripts']
  .flatMap(filesBelow)
  .filter((path) => /\.(ts|js)$/.test(path));

const longest = 250;
const mostInAFolder = 15;
/** Tests of one room may be more than its files. */
const mostInAFolderOfTests = 18;

/** Lists whose files are found by a known name; readers would have to guess folders (docs/decisions/0019-code-structure.md). */
const lookedUpByName: Readonly<Record<string, number>> = {
  'src/errors': 24,
};

const few = 45;
/**
 * A file of a few lines joins its only importer. Exceptions: a reader searches for the idea by its name, only this
 * file may load something, or the importer is full. The number makes each new exception a question.
 */
const mostOfAFewLines = 48;

/** Names that say nothing, so that everything ends up in them. */
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

  test(`no folder has more than ${mostInAFolder} files side by side, or ${mostInAFolderOfTests} of tests`, () => {
    const counts = new Map<string, number>();
    for (const path of written) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const most = (folder: string) =>
      lookedUpByName[folder] ?? (folder.startsWith('test/') ? mostInAFolderOfTests : mostInAFolder);
    const tooFull = [...counts].filter(([folder, count]) => count > most(folder));
    expect(tooFull).toEqual([]);
    expect(counts.size).toBeGreaterThan(100);
  });

  test(`a file of less than ${few} lines that one other imports is no more frequent than it is`, () => {
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

  test('suites that are known to take long are there, each once', () => {
    expect(suites.filter((path) => !written.includes(path))).toEqual([]);
    expect(new Set(suites).size).toBe(suites.length);
  });

  test('a server of the tests does not fail a test that runs beside it: test/support/answered.ts', () => {
    // Those that catch by themselves say why.
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
