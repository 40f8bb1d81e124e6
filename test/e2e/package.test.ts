import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../src/config/version.ts';
import { root } from '../support/program.ts';

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  npm(root, ['pack', '--pack-destination', folder]);
  tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(cwd: string, args: readonly string[], command = 'npm'): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('is one package, with what runs and nothing else', () => {
  const prefix = join(folder, 'installed');
  npm(folder, ['install', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, tarball]);
  const packages = readdirSync(join(prefix, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
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
  const bytes = filesOf(place).reduce((sum, path) => sum + statSync(path).size, 0);
  const packed = statSync(join(folder, tarball)).size;
  process.stdout.write(
    `the package: ${(packed / 1e6).toFixed(1)} MB packed, ${(bytes / 1e6).toFixed(1)} MB and ${packages.length} package installed\n`,
  );
  expect(bytes).toBeLessThan(8e6);
  const { scripts = {}, bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  expect(bin).toEqual({ 'hosted-runner': 'dist/index.js' });
  // Nothing runs while it is installed.
  expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
});

test('runs by npx from an empty folder, and warns of nothing', () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const npx = ['--offline', '--yes', '--package', join(folder, tarball), '--', 'hosted-runner'];
  expect(npm(empty, [...npx, 'version'], 'npx').trim()).toContain(version);
  expect(npm(empty, [...npx, 'demo', '--help'], 'npx')).toContain('hosted-runner demo');
  expect(readdirSync(empty)).toEqual([]);
});
