import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './run.js';

// usage: node scripts/mutants.js [--verbose] [--layers=unit,cells] [part of an id ...]
// Breaks the product in one place at a time and runs the tests, the cheapest first, until one fails.
// A mutant that no test notices fails the run.

/**
 * @typedef {{ id: string, file: string, find: string, replace: string, tests?: readonly string[] }} Mutant
 * @typedef {{ kind: 'caught', layer: string, file: string, test: string, why: string } | { kind: 'survived' } | { kind: 'broken', why: string }} Fate
 */

/** Files of one layer run one after another in one process. */
const layers = [
  { name: 'unit', folders: ['test/domain', 'test/state', 'test/steps', 'test/protocol'] },
  { name: 'scenarios', folders: ['test/scenarios'] },
  { name: 'cells', folders: ['test/cells'] },
  { name: 'depth 1', folders: ['test/stages'] },
]
  .filter(({ name }) => layersWanted().includes(name) || layersWanted().length === 0)
  .map(({ name, folders }) => ({ name, files: folders.flatMap(testsIn) }));

/** For a mutant that never ends; a list of such is not wanted, so it counts as a mistake in the list. */
const longestMs = 600_000;

const verbose = process.argv.includes('--verbose');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
register(new URL('./mutants/loader.js', import.meta.url).href, { data: { root, globals: '' } });
const list = new URL('../test/mutants/mutants.ts', import.meta.url).href;
/** @type {readonly Mutant[]} */
const all = (await import(list)).mutants;
const chosen = all.filter(
  ({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)),
);

const startedAt = performance.now();
// Without a mutant nothing may fail, or being caught would mean nothing.
const sound = wanted.length > 0 ? undefined : judge(undefined);
const fates = await judgeAll(chosen);
const unbroken = await sound;
report();

/** @param {readonly Mutant[]} mutants */
async function judgeAll(mutants) {
  /** @type {Map<string, Fate>} */
  const found = new Map();
  const waiting = [...mutants];
  const worker = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const fate = await judge(mutant);
      found.set(mutant.id, fate);
      console.log(lineOf(mutant, fate));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, worker));
  return found;
}

/** @param {Mutant | undefined} mutant @returns {Promise<Fate>} */
function judge(mutant) {
  const own = mutant?.tests === undefined ? [] : [{ name: 'its own', files: mutant.tests }];
  const order = { root, ...(mutant === undefined ? {} : { mutant }), layers: [...own, ...layers] };
  const child = fork(
    fileURLToPath(new URL('./mutants/one.js', import.meta.url)),
    [JSON.stringify(order)],
    {
      cwd: root,
      silent: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    },
  );
  return new Promise((settle) => {
    let layer = 'none';
    let said = '';
    /** @type {Fate | undefined} */
    let fate;
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const timer = setTimeout(() => {
      fate = { kind: 'broken', why: `it did not end in ${longestMs / 1000} s, in ${layer}` };
      child.kill('SIGKILL');
    }, longestMs);
    child.on('message', (/** @type {any} */ message) => {
      if (message.kind === 'layer') layer = message.layer;
      else fate = message;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      // Nothing is left to happen, and a test still waits: jest would give up on it in time.
      const waits = {
        kind: /** @type {const} */ ('caught'),
        layer,
        file: '',
        test: '(it waits for ever)',
        why: '',
      };
      const ended = (code === 0 || code === 13) && layer !== 'none';
      settle(
        fate ??
          (ended ? waits : undefined) ?? {
            kind: 'broken',
            why: `exit code ${code}: ${said.slice(-500)}`,
          },
      );
    });
  });
}

/** @param {Mutant} mutant @param {Fate} fate */
function lineOf({ id }, fate) {
  if (fate.kind !== 'caught')
    return `✖ ${id.padEnd(60)} ${fate.kind}${fate.kind === 'broken' ? `: ${fate.why}` : ''}`;
  const why = verbose ? `\n    ${fate.why.split('\n').slice(0, 12).join('\n    ')}` : '';
  return `✔ ${id.padEnd(60)} ${fate.layer.padEnd(9)} ${fate.test.slice(0, 90)}${why}`;
}

function report() {
  const caught = [...fates.values()].filter(({ kind }) => kind === 'caught').length;
  /** @type {Record<string, number>} */
  const by = {};
  for (const fate of fates.values())
    if (fate.kind === 'caught') by[fate.layer] = (by[fate.layer] ?? 0) + 1;
  const ways = Object.entries(by)
    .map(([layer, count]) => `${layer} ${count}`)
    .join(', ');
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n${caught} of ${fates.size} mutants caught (${ways}) in ${seconds} s`);
  const failed =
    fates.size - caught + (unbroken === undefined || unbroken.kind === 'survived' ? 0 : 1);
  if (unbroken !== undefined && unbroken.kind !== 'survived')
    console.log(`✖ without any mutant a test fails: ${JSON.stringify(unbroken)}`);
  tell({ passed: caught, failed });
  process.exitCode = failed === 0 ? 0 : 1;
}

/** In the shape of jest's report, for the tally. @param {{ passed: number, failed: number }} counts */
function tell({ passed, failed }) {
  const folder = process.env['TEST_REPORTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const counts = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  const whole = { ...counts, numRuntimeErrorTestSuites: 0, success: failed === 0 };
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(whole));
}

function layersWanted() {
  const given = process.argv.find((argument) => argument.startsWith('--layers='));
  return given === undefined ? [] : given.slice('--layers='.length).split(',');
}

/** @param {string} folder */
function testsIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}
