import { existsSync } from 'node:fs';

/**
 * Shells that hosts use as `sh`: dash of Debian and Ubuntu, bash of Amazon Linux, busybox of
 * Alpine.
 */
const all: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['dash', ['/bin/dash']],
  ['bash', ['/bin/bash', '--posix']],
  ['busybox sh', ['/bin/busybox', 'sh']],
];

export const shells = all.filter(([, [path = '']]) => existsSync(path));
export const missingShells = all.filter(([, [path = '']]) => !existsSync(path));
