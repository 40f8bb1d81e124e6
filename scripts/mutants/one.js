import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { collecting, newGroup, runGroup, runOnly, TestFailed } from './registry.js';

// Started by mutants.js with what to do as JSON: which text to replace, and which layers to run; of
// whose files only the tests named in `tests`, where there are any.
/** @typedef {{ name: string, files: string[], tests?: Record<string, string[]> }} Layer */
/** @type {{ root: string, compiled?: string, mutant?: { file: string, find: string, replace: string }, layers: Layer[] }} */
const order = JSON.parse(process.argv[2] ?? '{}');
const globals = new URL('./globals.js', import.meta.url).href;
register(new URL('./loader.js', import.meta.url).href, { data: { ...order, globals } });

// Only what is said through the channel counts; the tests' own words are not shown.
process.stdout.write = () => true;
process.send?.(await run());
process.disconnect?.();
process.exit();

async function run() {
  for (const { name, files, tests } of order.layers) {
    process.send?.({ kind: 'layer', layer: name });
    for (const file of files) {
      const failure = await failureIn(`${order.root}/${file}`, tests?.[file]);
      if (failure !== undefined) return { kind: 'caught', layer: name, file, ...failure };
    }
  }
  return { kind: 'survived' };
}

/**
 * @param {string} path @param {readonly string[]} [only]
 * @returns {Promise<{ test: string, why: string } | undefined>}
 */
async function failureIn(path, only) {
  const group = newGroup('', undefined);
  Object.assign(collecting, { file: path, group });
  try {
    await import(pathToFileURL(path).href);
    if (only === undefined) await runGroup(group);
    else for (const name of only) await runOnly(group, name);
    return undefined;
  } catch (error) {
    const test = error instanceof TestFailed ? error.test : '(outside of a test)';
    return { test, why: error instanceof Error ? error.message : String(error) };
  }
}
