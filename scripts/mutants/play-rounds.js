import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { urlIn } from './loader.js';
import { collecting, newGroup, runGroup, runOnly, TestFailed } from './registry.js';

// Started by mutants.js with what to do as JSON: rounds, one after another, in each of which the product is
// loaded anew with one text replaced, and some layers are run; of whose files only the tests named in
// `tests`, where there are any. What npm has is loaded once.
/** @typedef {{ name: string, files: string[], tests?: Record<string, string[]> }} Layer */
/** @typedef {{ mutant?: { file: string, find: string, replace: string }, layers: Layer[] }} Round */
/** @type {{ root: string, compiled?: string, rounds: Round[] }} */
const order = JSON.parse(process.argv[2] ?? '{}');
const globals = new URL('./globals.js', import.meta.url).href;
const mutants = order.rounds.map(({ mutant }) => mutant);
const data = { root: order.root, compiled: order.compiled, mutants, globals };
register(new URL('./loader.js', import.meta.url).href, { data });

// Only what is said through the channel counts; the tests' own words are not shown.
process.stdout.write = () => true;
for (const [round, { layers }] of order.rounds.entries()) {
  const fate = await run(round, layers);
  process.send?.({ ...fate, round });
}
process.disconnect?.();
process.exit();

/** @param {number} round @param {readonly Layer[]} layers */
async function run(round, layers) {
  for (const { name, files, tests } of layers) {
    for (const file of files) {
      process.send?.({ kind: 'file', layer: name, file });
      const failure = await failureIn(`${order.root}/${file}`, round, tests?.[file]);
      if (failure !== undefined) return { kind: 'caught', layer: name, file, ...failure };
    }
  }
  return { kind: 'survived' };
}

/**
 * @param {string} path @param {number} round @param {readonly string[]} [only]
 * @returns {Promise<{ test: string, why: string } | undefined>}
 */
async function failureIn(path, round, only) {
  const group = newGroup('', undefined);
  Object.assign(collecting, { file: path, group });
  try {
    await import(urlIn(round, pathToFileURL(path)));
    if (only === undefined) await runGroup(group);
    else for (const name of only) await runOnly(group, name);
    return undefined;
  } catch (error) {
    const test = error instanceof TestFailed ? error.test : '(outside of a test)';
    return { test, why: error instanceof Error ? error.message : String(error) };
  }
}
