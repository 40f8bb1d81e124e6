import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. Every tool runs from here: ncc derives module ids from the folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const require = createRequire(import.meta.url);

/** @param {string} packageName @param {string} command */
export function binaryOf(packageName, command) {
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifestPath);
  return join(dirname(manifestPath), typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a package's command with the Node that runs us, without a shell: the same on every platform.
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
 * V8's flags come and go: an engine that does not have one refuses to start with it, and does as well without.
 * @param {string[]} flags @returns {string[]} those that this Node takes
 */
export function knownToThisNode(flags) {
  return flags.filter((flag) => spawnSync(process.execPath, [flag, '--eval', '0']).status === 0);
}

/**
 * Like runPackage, but silent unless it fails.
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
