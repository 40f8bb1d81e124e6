import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Import hooks of a process of its own: TypeScript is compiled as it is loaded, tests get our own
 * little runner in place of jest's, and one text of one source file is replaced by another, in each round
 * of the process another one. So no switch for any of this is in the product. What was compiled once is
 * kept in the folder `compiled` for the next process.
 * @typedef {{ file: string, find: string, replace: string }} Mutant
 * @typedef {{ root: string, globals: string, compiled?: string, mutants?: readonly (Mutant | null)[] }} Data
 */
const state = /** @type {Data} */ ({ root: '', globals: '' });

/** A file as one round sees it: whatever it imports of ours is of the same round. */
export function urlIn(/** @type {string | number} */ round, /** @type {URL} */ url) {
  const own = new URL(url);
  own.search = `round=${round}`;
  return own.href;
}

/** @param {Data} data */
export function initialize(data) {
  Object.assign(state, data);
}

/**
 * @param {string} specifier @param {{ parentURL?: string }} context
 * @param {(specifier: string, context: object) => Promise<{ url: string }>} next
 */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: state.globals, shortCircuit: true };
  const found = await next(specifier, context);
  const round = roundOf(context.parentURL);
  return round === null || !isOurs(found.url)
    ? found
    : { ...found, url: urlIn(round, new URL(found.url)) };
}

/**
 * @param {string} url @param {object} context
 * @param {(url: string, context: object) => Promise<object>} next
 */
export async function load(url, context, next) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  if (!path.endsWith('.ts')) return next(url, context);
  const { mutants = [], root } = state;
  const mutant = mutants[Number(roundOf(url))];
  const text = readFileSync(path, 'utf8');
  const source = mutant && path === `${root}/${mutant.file}` ? mutated(text, mutant) : text;
  return { format: 'module', source: await compiledOf(path, source), shortCircuit: true };
}

/** @param {string} [url] */
function roundOf(url) {
  return url?.startsWith('file:') ? new URL(url).searchParams.get('round') : null;
}

/** What npm has is the same in all rounds. @param {string} url */
function isOurs(url) {
  if (!url.startsWith('file:')) return false;
  const path = fileURLToPath(url);
  return path.startsWith(`${state.root}/`) && !path.includes('/node_modules/');
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
