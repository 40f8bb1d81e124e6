import { describe, expect, test } from '@jest/globals';
import { read } from './tree.ts';

interface Locked {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };

describe('package-lock.json', () => {
  // npm writes only the packages that the registry has on that day, and `npm ci` then refuses the
  // file on other platforms.
  test('contains the packages of every platform', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked({ name, place }))
        .map((name) => `${name} of ${place}`),
    );
    expect(missing).toEqual([]);
  });

  test('pins every package by its integrity, and to no registry', () => {
    const offences = Object.entries(packages)
      .filter(([place]) => place !== '')
      .filter(([, entry]) => entry.resolved !== undefined || !(entry.integrity || entry.inBundle))
      .map(([place]) => place);
    expect(offences).toEqual([]);
  });

  test('installs no other package for users, because dist/ contains them', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      read('package.json'),
    );
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual(
      Array(3).fill(undefined),
    );
    expect(
      Object.values(packages).filter(({ dev, link }, index) => index > 0 && !dev && !link),
    ).toEqual([]);
  });

  test('agrees with package.json', () => {
    const manifest = JSON.parse(read('package.json'));
    expect(packages['']).toMatchObject({
      name: manifest.name,
      version: manifest.version,
      devDependencies: manifest.devDependencies,
    });
  });
});

/**
 * Decides whether Node finds the package in the folder's node_modules, or in a parent's, up to the
 * root.
 */
function isLocked({ name, place }: { name: string; place: string }): boolean {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}
