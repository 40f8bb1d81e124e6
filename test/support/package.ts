import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './program.ts';

/** Packs the files that `npm publish` would publish. Returns the package's path. */
export function packInto(folder: string): string {
  const args = ['pack', '--pack-destination', folder];
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

/** Lists npm's packages in a folder at any depth, with their size. */
export function installedIn(folder: string): { packages: readonly string[]; bytes: number } {
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const packages = files
    .filter(({ name }) => name === 'package.json')
    .map(({ parentPath }) => parentPath.split('node_modules/').at(-1) ?? '')
    .filter((name) => /^(?:@[^/]+\/)?[^/]+$/.test(name));
  const bytes = files.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
  return { packages, bytes };
}
