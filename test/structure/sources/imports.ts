import { describe, expect, test } from '@jest/globals';
import { core, floors, mayImport } from '../folders.ts';
import { folderOf, type Import, packageOf, readSources, type Source } from '../source.ts';
import { read } from '../tree.ts';

const sources = readSources();

/** Modules that only these import, and only on demand. */
const lazyOnly: Record<string, readonly string[]> = { sandbox: ['app', 'sandbox'] };

/** Only folder that may import a vendor's package. The sandbox also starts processes. */
const homeOf: Array<{ packages: RegExp; folders: readonly string[] }> = [
  { packages: /^@gitbeaker\//, folders: ['adapters/gitlab'] },
  { packages: /^@octokit\//, folders: ['adapters/github'] },
  { packages: /^@aws-sdk\/|^@smithy\//, folders: ['adapters/aws'] },
  { packages: /^@actions\/exec$/, folders: ['adapters/terraform'] },
  { packages: /^@actions\/(?!exec$)/, folders: ['adapters/ci'] },
  { packages: /^log-update$/, folders: ['adapters/system'] },
  { packages: /^execa$/, folders: ['adapters/command'] },
  { packages: /^hono$|^@hono\//, folders: ['sandbox', 'report/dashboard', 'report/endpoint'] },
  { packages: /^prom-client$/, folders: ['report/endpoint'] },
  { packages: /^commander$/, folders: ['cli'] },
  {
    packages: /^zod$/,
    folders: [
      'adapters/github',
      'adapters/gitlab',
      'adapters/signals',
      'adapters/transport',
      'recording',
      'stages/record',
      'sandbox',
    ],
  },
  { packages: /^yaml$/, folders: ['config', 'adapters/gitlab', 'sandbox'] },
];

/** Folders of decisions and contracts, which import no package and no part of Node. */
const pure = new Set([...core, 'stages', 'operator', 'model']);

/** Packages that are small enough for `--help` to load. */
const light = new Set(['commander', 'picocolors']);

function offences(isWrong: (source: Source, imported: Import) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((imported) => isWrong(source, imported))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
}

function isOne(used: string, folder: string, packages: RegExp): boolean {
  const [from, name = ''] = used.split(' > ');
  return from === folder && packages.test(name);
}

function folderOfImport({ path }: Import): string | undefined {
  return path === undefined ? undefined : folderOf(path);
}

describe('imports', () => {
  test.each(Object.entries(mayImport))('%s imports itself and %j only', (folder, others) => {
    const allowed = new Set<string | undefined>([undefined, folder, ...others]);
    expect(
      offences(
        (source, target) => source.folder === folder && !allowed.has(folderOfImport(target)),
      ),
    ).toEqual([]);
  });

  test('every allowed import occurs', () => {
    const used = new Set(
      sources.flatMap(({ folder, imports }) => [
        ...imports.map((one) => `${folder} > ${folderOfImport(one)}`),
        ...imports.map((one) => `${folder} > ${packageOf(one)}`),
      ]),
    );
    const unusedRules = Object.entries(mayImport).flatMap(([folder, others]) =>
      others.map((other) => `${folder} > ${other}`).filter((one) => !used.has(one)),
    );
    const packages = homeOf.flatMap(({ packages: of, folders }) =>
      folders
        .filter((folder) => ![...used].some((one) => isOne(one, folder, of)))
        .map((folder) => `${folder} > ${of}`),
    );
    expect([...unusedRules, ...packages]).toEqual([]);
  });

  test('the table of CONTRIBUTING lists the imports of each folder', () => {
    const rows = readFolders(read('CONTRIBUTING.md'));
    expect(rows.map(([folder]) => folder)).toEqual(
      expect.arrayContaining(['root', 'stages/record']),
    );
    for (const [folder, others] of rows)
      expect([folder, others.toSorted()]).toEqual([folder, mayImport[folder]?.toSorted()]);
  });

  test('every folder has a rule', () => {
    expect(new Set(sources.map(({ folder }) => folder))).toEqual(new Set(Object.keys(mayImport)));
  });

  test('the layers of the stages import downwards only', () => {
    const floorOf = (path = '') => {
      const found = floors.filter((floor) => path.startsWith(`src/stages/${floor}/`));
      return found.toSorted((one, other) => other.length - one.length)[0];
    };
    const inside = sources.filter(({ path }) => path.startsWith('src/stages/'));
    expect(inside.filter(({ path }) => floorOf(path) === undefined)).toEqual([]);
    expect(new Set(inside.map(({ path }) => floorOf(path)))).toEqual(new Set(floors));
    const levelOf = (path: string | undefined) => floors.indexOf(floorOf(path) ?? '');
    expect(
      offences(
        ({ path }, target) =>
          path.startsWith('src/stages/') &&
          target.path?.startsWith('src/stages/') === true &&
          levelOf(target.path) < levelOf(path),
      ),
    ).toEqual([]);
  });

  test('no file imports main.ts', () => {
    expect(offences((_, { path }) => path === 'src/main.ts')).toEqual([]);
  });

  test.each(Object.entries(lazyOnly))('%s is loaded lazily, from %s', (folder, importers) => {
    expect(
      offences((source, target) => {
        if (folderOfImport(target) !== folder || source.folder === folder) return false;
        return target.kind === 'static' || !importers.includes(source.folder);
      }),
    ).toEqual([]);
  });

  test('decisions and contracts import neither packages nor Node', () => {
    expect(
      offences((source, target) => pure.has(source.folder) && target.path === undefined),
    ).toEqual([]);
  });

  test.each(homeOf)('$packages is imported in $folders only', ({ packages, folders }) => {
    expect(
      offences((source, target) => {
        const name = packageOf(target);
        return name !== undefined && packages.test(name) && !folders.includes(source.folder);
      }),
    ).toEqual([]);
  });

  test('a lazy import names its module literally, because the bundle needs it', () => {
    expect(offences((_, { specifier }) => specifier === '(not a literal)')).toEqual([]);
  });

  test('process.ts loads no heavy package before it knows the command', () => {
    expect(heavyPackagesLoadedBy('src/app/process.ts')).toEqual([]);
  });

  test("Octokit is loaded only for GitHub's runners, and its signatures only for an App", () => {
    const octokit = (entry: string) =>
      heavyPackagesLoadedBy(entry).filter((one) => one.startsWith('@octokit/'));
    expect(octokit('src/app/compose/compose.ts')).toEqual([]);
    expect(octokit('src/app/compose/compose-github.ts')).toEqual([]);
    expect(octokit('src/adapters/github/github-client.ts')).toEqual([
      '@octokit/core by src/adapters/github/github-client.ts',
    ]);
  });
});

/**
 * Reads the table of folders in CONTRIBUTING, without `app`, which may import all running code, and
 * without the row of all adapters.
 */
function readFolders(contributing: string): readonly (readonly [string, readonly string[]])[] {
  const rows = contributing.matchAll(/^\| `([\w./]+)` \|.*\| ([^|]+) \|$/gm);
  return [...rows]
    .map(([, path = '', cell = '']) => [folderAt(path), namesIn(cell)] as const)
    .filter(([folder]) => folder !== 'app' && Object.hasOwn(mayImport, folder));
}

function folderAt(path: string): string {
  return path === 'src/main.ts' ? 'root' : path.replace(/^src\/|\/$/g, '');
}

/** Returns the names in a table cell before any remark. */
function namesIn(cell: string): readonly string[] {
  return [...(cell.split(';')[0] ?? '').matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name);
}

/** Lists packages that a file imports statically, directly or through other files. */
function heavyPackagesLoadedBy(entry: string): string[] {
  const waiting = [entry];
  const seen = new Set(waiting);
  const heavy: string[] = [];
  for (const path of waiting) {
    const source = sources.find((candidate) => candidate.path === path);
    for (const imported of source?.imports.filter(({ kind }) => kind === 'static') ?? []) {
      const name = packageOf(imported);
      if (name !== undefined && !light.has(name)) heavy.push(`${name} by ${path}`);
      if (imported.path === undefined || seen.has(imported.path)) continue;
      seen.add(imported.path);
      waiting.push(imported.path);
    }
  }
  return heavy;
}
