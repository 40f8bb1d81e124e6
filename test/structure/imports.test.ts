import { describe, expect, test } from '@jest/globals';
import { type Import, packageOf, readSources, type Source } from './source.ts';

const sources = readSources();

/** Which folders a folder may import from, besides itself. `root` is main.ts and app.ts. */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  ports: ['domain'],
  errors: ['domain', 'ports'],
  state: ['domain', 'ports', 'errors'],
  stages: ['domain', 'ports', 'errors', 'state'],
  operator: ['domain', 'ports', 'errors', 'state', 'stages'],
  endpoint: ['domain', 'ports', 'errors', 'operator'],
  config: ['domain', 'errors'],
  transport: ['domain', 'ports', 'errors'],
  gitlab: ['domain', 'ports', 'errors', 'transport'],
  github: ['domain', 'ports', 'errors', 'transport'],
  aws: ['domain', 'ports', 'errors', 'transport'],
  terraform: ['domain', 'ports', 'errors', 'transport'],
  command: ['domain', 'ports', 'errors', 'transport'],
  ci: ['domain', 'ports', 'errors', 'transport', 'report'],
  evidence: ['domain', 'ports', 'errors'],
  recording: ['domain', 'ports', 'errors', 'transport', 'gitlab', 'github'],
  verify: [],
  report: ['domain', 'ports', 'errors', 'transport', 'state'],
  system: ['domain', 'ports', 'errors', 'transport'],
};

/** What is imported by nobody but these, and only when it is needed. */
const lazyOnly: Record<string, readonly string[]> = { sandbox: ['root', 'cli', 'sandbox'] };

/** The one folder that knows a vendor. The sandbox starts processes of its own. */
const homeOf: Array<{ packages: RegExp; folders: readonly string[] }> = [
  { packages: /^@gitbeaker\//, folders: ['gitlab'] },
  { packages: /^@octokit\//, folders: ['github'] },
  { packages: /^@aws-sdk\/|^@smithy\//, folders: ['aws'] },
  { packages: /^@actions\//, folders: ['ci'] },
  { packages: /^log-update$/, folders: ['system', 'cli', 'operator'] },
  { packages: /^execa$/, folders: ['command', 'terraform', 'sandbox'] },
  { packages: /^hono$|^@hono\//, folders: ['sandbox', 'endpoint'] },
  { packages: /^prom-client$/, folders: ['endpoint'] },
  { packages: /^commander$/, folders: ['cli'] },
  {
    packages: /^zod$/,
    folders: ['config', 'github', 'gitlab', 'recording', 'state', 'transport', 'sandbox'],
  },
  { packages: /^yaml$/, folders: ['config', 'cli'] },
];

/** Folders that hold decisions and contracts: no package, no part of Node. */
const pure = new Set(['domain', 'ports', 'errors', 'stages', 'operator']);

/** Small enough to be loaded by `--help`. */
const light = new Set(['commander', 'picocolors', 'fastest-levenshtein']);

function offences(isWrong: (source: Source, imported: Import) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((imported) => isWrong(source, imported))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
}

function folderOfImport({ path }: Import): string | undefined {
  const [top, folder = '', rest] = path?.split('/') ?? [];
  if (top === undefined) return undefined;
  if (top !== 'src') return `outside src: ${path}`;
  return rest === undefined ? 'root' : folder;
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

  test('nothing imports main.ts', () => {
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

  test('a lazy import names its module literally, so that the bundle contains it', () => {
    expect(offences((_, { specifier }) => specifier === '(not a literal)')).toEqual([]);
  });

  test('process.ts loads no heavy package before it knows the command', () => {
    expect(heavyPackagesLoadedBy('src/app/process.ts')).toEqual([]);
  });

  test('only a stack of GitHub\u2019s runners loads Octokit, and only an App its signatures', () => {
    const octokit = (entry: string) =>
      heavyPackagesLoadedBy(entry).filter((one) => one.startsWith('@octokit/'));
    expect(octokit('src/app/compose.ts')).toEqual([]);
    expect(octokit('src/app/compose-github.ts')).toEqual([]);
    expect(octokit('src/adapters/github/client.ts')).toEqual([
      '@octokit/core by src/adapters/github/client.ts',
    ]);
  });
});

/** Packages in everything that a file imports statically, and what that imports, and so on. */
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
