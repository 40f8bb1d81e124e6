import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Import hooks of a process of its own: TypeScript is compiled as it is loaded, tests get our own
 * little runner in place of jest's, and one text of one source file is replaced by another. So no
 * switch for any of this is in the product. What was compiled once is kept in the folder `compiled` for
 * the next process.
 * @typedef {{ root: string, globals: string, compiled?: string, mutant?: { file: string, find: string, replace: string } }} Data
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
  return { format: 'module', source: await compiledOf(path, source), shortCircuit: true };
}

/** @param {string} path @param {string} source @returns {Promise<string>} */
async function compiledOf(path, source) {
  const { compiled } = state;
  if (compiled === undefined) return compile(path, source);
  const file = join(compiled, createHash('sha1').update(path).update(source).digest('hex'));
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const code = await compile(path, source);
    // Whole or not at all: another process may look for it now.
    mkdirSync(compiled, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
    return code;
  }
}

/** The compiler is loaded by those that need it. @param {string} path @param {string} source */
async function compile(path, source) {
  const { transformSync } = await import('@swc/core');
  const { code } = transformSync(source, {
    filename: path,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  return code;
}

/** @param {string} text @param {{ file: string, find: string, replace: string }} mutant */
function mutated(text, { file, find, replace }) {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} has the text ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
