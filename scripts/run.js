import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. Every tool runs from here: ncc derives module ids from the folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const require = createRequire(import.meta.url);

/** @param {string} packageName @param {string} command */
export function binaryOf(packageName, command) {
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifestPath);
  return join(dirname(manifestPath), typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a package's command with the current Node and without a shell, identically on every
 * platform.
 * @param {{ packageName: string, command: string, args: string[], nodeArgs?: string[] }} call
 * @returns {number} exit code
 */
export function runPackage({ packageName, command, args, nodeArgs = [] }) {
  return runNode([...nodeArgs, binaryOf(packageName, command), ...args]);
}

/** @param {string[]} args @returns {number} exit code */
export function runNode(args) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return result.status ?? 1;
}

/**
 * Selects the V8 flags that this Node knows: an engine refuses to start with an unknown flag.
 * @param {string[]} flags @returns {string[]}
 */
export function knownToThisNode(flags) {
  return flags.filter((flag) => spawnSync(process.execPath, [flag, '--eval', '0']).status === 0);
}

/**
 * Runs a package's command, and prints its output only if it fails.
 * @param {{ packageName: string, command: string, args: string[] }} call
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
export function capturePackage({ packageName, command, args }) {
  const child = spawn(process.execPath, [binaryOf(packageName, command), ...args], { cwd: root });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((settle) => {
    child.on('close', (code) => settle({ exitCode: code ?? 1, output }));
  });
}
