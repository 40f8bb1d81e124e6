import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/**
 * Import hooks of a process of its own: TypeScript is compiled as it is loaded, tests get our own
 * little runner in place of jest's, and one text of one source file is replaced by another. So no
 * switch for any of this is in the product.
 * @typedef {{ root: string, globals: string, mutant?: { file: string, find: string, replace: string } }} Data
 */
const state = /** @type {Data} */ ({ root: '', globals: '' });

/** @param {Data} data */
export function initialize(data) {
  Object.assign(state, data);
}

/**
 * @param {string} specifier @param {object} context
 * @param {(specifier: string, context: object) => Promise<object>} next
 */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: state.globals, shortCircuit: true };
  return next(specifier, context);
}

/**
 * @param {string} url @param {object} context
 * @param {(url: string, context: object) => Promise<object>} next
 */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { mutant, root } = state;
  const text = readFileSync(path, 'utf8');
  const source = mutant && path === `${root}/${mutant.file}` ? mutated(text, mutant) : text;
  const { code } = transformSync(source, {
    filename: path,
    sourceMaps: 'inline',
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}

/** @param {string} text @param {{ file: string, find: string, replace: string }} mutant */
function mutated(text, { file, find, replace }) {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} has the text ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
