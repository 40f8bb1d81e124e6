import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { filesBelow, read } from '../structure/tree.ts';
import { root, runProgram } from '../support/program.ts';

const manifest = JSON.parse(read('package.json'));

/** Lists the files that npm would publish. */
function packedFiles(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [packed] = JSON.parse(text) as [{ files: readonly { path: string }[] }];
  return packed.files.map(({ path }) => path);
}

describe('the package', () => {
  test('contains one program, which starts as a file and prints the version of the package', async () => {
    expect(manifest.bin).toEqual({ 'hosted-runner': 'dist/index.js' });
    const program = join(root, manifest.bin['hosted-runner']);
    accessSync(program, constants.X_OK);
    const { stdout, exitCode } = await runProgram({ args: ['--version'], program });
    expect({ stdout, exitCode }).toEqual({ stdout: `${manifest.version}\n`, exitCode: 0 });
  });

  test('offers nothing to import, and runs nothing during its installation', () => {
    const fields = ['main', 'exports', 'module', 'types', 'dependencies'];
    expect(fields.filter((field) => field in manifest)).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual(
      [],
    );
    // The bundle consists of ECMAScript modules in any folder.
    expect([manifest.type, JSON.parse(read('dist/package.json')).type]).toEqual([
      'module',
      'module',
    ]);
  });

  test('contains every file that its program imports, the licenses and the schemas', () => {
    const packed = new Set(packedFiles());
    const needed = filesBelow('dist')
      .filter((path) => path.endsWith('.js'))
      .flatMap((path) => [
        path,
        ...[...read(path).matchAll(/(?:from|import)\s*\(?\s*["'](\.\/[\w./-]+\.js)["']/g)].map(
          ([, name = '']) => join(dirname(path), name),
        ),
      ]);
    const others = ['dist/package.json', 'dist/licenses.txt', 'LICENSE', ...filesBelow('schema')];
    expect(needed.length).toBeGreaterThan(20);
    expect([...needed, ...others].filter((path) => !packed.has(path))).toEqual([]);
    expect([...packed].filter((path) => /^(?:src|test|sandbox|\.)/.test(path))).toEqual([]);
  });

  test('needs the Node that the documents name, and the tests run on its oldest version', () => {
    const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];
    const [major = ''] = oldest.split('.');
    for (const page of ['README.md', 'docs/use/networks.md'])
      expect(read(page)).toContain(`Node ${oldest} or newer`);
    expect(manifest.devDependencies['@types/node']).toMatch(new RegExp(`^${major}\\.`));
    const { verify } = parse(read('.github/workflows/release.yml')).jobs;
    const nodes = (verify.steps as { with?: { 'node-version'?: number } }[])
      .map(({ with: given }) => given?.['node-version'])
      .filter((version) => version !== undefined);
    expect(nodes).toEqual([Number(major)]);
  });
});
