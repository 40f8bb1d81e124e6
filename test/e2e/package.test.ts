import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installedIn, packInto } from '../support/package.ts';
import { root } from '../support/program.ts';

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  tarball = packInto(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package contains only files that run', () => {
  const prefix = join(folder, 'installed');
  const options = ['--offline', '--no-audit', '--no-fund', '--prefix', prefix];
  execFileSync('npm', ['install', ...options, tarball], { cwd: folder, stdio: 'pipe' });
  const { packages, bytes } = installedIn(prefix);
  expect(packages).toEqual(['hosted-runner-deploy']);
  const place = join(prefix, 'node_modules', 'hosted-runner-deploy');
  expect(readdirSync(place).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'schema',
  ]);
  expect(readdirSync(join(place, 'dist')).sort()).toEqual(
    readdirSync(join(root, 'dist'))
      .filter((name) => name !== 'made-from.txt')
      .sort(),
  );
  const packed = statSync(tarball).size;
  process.stdout.write(
    `the package: ${(packed / 1e6).toFixed(1)} MB packed, ${(bytes / 1e6).toFixed(1)} MB and ${packages.length} package installed\n`,
  );
  expect(bytes).toBeLessThan(8e6);
  const { scripts = {}, bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  expect(bin).toEqual({ 'hosted-runner': 'dist/index.js' });
  // The package has no scripts that run during an installation.
  expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
});
