import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import compileBeforeTests from './jest/compile-before-tests.js';
import { countsOf, tell } from './mutants/report.js';
import { playRounds } from './mutants/rounds.js';
import { root } from './run.js';

// usage: node scripts/mutants.js [--verbose] [--learn] [--count] [--layers=unit,cells] [part of an id ...]
// Breaks the product in one place at a time and runs the tests until one fails: first the one test that
// noticed this mutant the last time (test/mutants/noticed-by.json, written by --learn), then its own files,
// then the cheapest.
// A mutant that no test notices fails the run; so does a test that fails without one.
// --count says how many there are by folder, and plays none. ONE_IN=10 plays a tenth of them (scripts/jest/share.js).

/**
 * @typedef {{ id: string, file: string, find: string, replace: string, tests?: readonly string[] }} Mutant
 * @typedef {import('./mutants/rounds.js').Fate} Fate
 * @typedef {import('./mutants/rounds.js').Layer} Layer
 */

/** Files of one layer run one after another in one process. */
const layers = [
  { name: 'unit', folders: ['test/domain', 'test/record', 'test/steps', 'test/protocol'] },
  { name: 'scenarios', folders: ['test/scenarios'] },
  { name: 'cells', folders: ['test/cells'] },
  { name: 'depth 1', folders: ['test/stages'] },
]
  .filter(({ name }) => layersWanted().includes(name) || layersWanted().length === 0)
  .map(({ name, folders }) => ({ name, files: folders.flatMap(testsIn) }));

const verbose = process.argv.includes('--verbose');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
register(new URL('./mutants/loader.js', import.meta.url).href, { data: { root, globals: '' } });
const list = new URL('../test/mutants/mutants.ts', import.meta.url).href;
/** @type {readonly Mutant[]} */
const all = (await import(list)).mutants;
/** @type {{ sampleOf: <T>(all: readonly T[], nameOf: (one: T) => string) => readonly T[] }} */
const { sampleOf } = await import(new URL('../test/support/sample.ts', import.meta.url).href);
const chosen = sampleOf(
  all.filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part))),
  ({ id }) => id,
);

if (process.argv.includes('--count')) {
  console.log(countsOf(chosen));
  process.exit();
}

// A mutant is noticed by one test of many: a sample of the tests would miss it.
process.env['ONE_IN'] = '1';

/** @typedef {{ file: string, test?: string }} Noticed where no test is named, the whole file */
const hintsPath = join(root, 'test/mutants/noticed-by.json');
/** @type {Record<string, Noticed>} */
const hints = JSON.parse(readFileSync(hintsPath, 'utf8'));

const startedAt = performance.now();
// Some of the tests start what is compiled, and would wait for ever for what is not there.
await compileBeforeTests();
// What one process has compiled the next one reads.
const compiled = mkdtempSync(join(tmpdir(), 'mutants-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));
const atOnce = Math.max(1, availableParallelism());
const fates = await judgeAll(chosen);
// Without a mutant none of the tests that noticed one may fail, or noticing would mean nothing.
const unbroken = await judgeUnbroken(whatNoticed());
if (process.argv.includes('--learn')) learn();
report();

/** Of each file that noticed a mutant, the tests that did. @returns {Record<string, string[]>} */
function whatNoticed() {
  /** @type {Record<string, string[]>} */
  const tests = {};
  for (const fate of fates.values()) {
    if (fate.kind !== 'caught' || fate.file === '') continue;
    const known = tests[fate.file] ?? [];
    tests[fate.file] = [...new Set([...known, fate.test])];
  }
  return tests;
}

function learn() {
  const known = all.flatMap(({ id }) => {
    const fate = fates.get(id);
    const caught = fate?.kind === 'caught' && fate.file !== '';
    const noticed = caught ? { file: fate.file, test: fate.test } : hints[id];
    return noticed === undefined ? [] : [[id, noticed]];
  });
  known.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  writeFileSync(hintsPath, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
}

/** The test that noticed it the last time, by itself. @param {Mutant} mutant @returns {Layer[]} */
function hintFor({ id }) {
  const hint = hints[id];
  if (hint === undefined || !existsSync(join(root, hint.file))) return [];
  const name = layers.find(({ files }) => files.includes(hint.file))?.name ?? 'its own';
  const tests = hint.test === undefined ? {} : { tests: { [hint.file]: [hint.test] } };
  return [{ name, files: [hint.file], ...tests }];
}

/** @param {Mutant} mutant @returns {Layer[]} */
function orderFor(mutant) {
  const own = mutant.tests === undefined ? [] : [{ name: 'its own', files: mutant.tests }];
  return [...own, ...layers];
}

/** @param {readonly Mutant[]} mutants */
async function judgeAll(mutants) {
  /** @type {Map<string, Fate>} */
  const found = new Map();
  const waiting = groupsOf(mutants);
  const worker = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const noticed = await judgeTogether(group);
      for (const mutant of group) {
        const fate = noticed.get(mutant) ?? (await judgeOne(mutant));
        found.set(mutant.id, fate);
        console.log(lineOf(mutant, fate));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/** Those that tests of one file noticed the last time, the most first. @param {readonly Mutant[]} mutants */
function groupsOf(mutants) {
  /** @type {Map<string, Mutant[]>} */
  const groups = new Map();
  for (const mutant of mutants) {
    const key = hints[mutant.id]?.file ?? mutant.id;
    groups.set(key, [...(groups.get(key) ?? []), mutant]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

/**
 * In one process, which loads what npm has only once: most of what a mutant costs. What one left behind
 * may spoil the next ones: if these tests fail after all of them without any, nothing is known of them.
 * @param {readonly Mutant[]} group
 */
async function judgeTogether(group) {
  const hinted = group.flatMap((mutant) => hintFor(mutant).map((layer) => ({ mutant, layer })));
  /** @type {Map<Mutant, Fate>} */
  const noticed = new Map();
  if (hinted.length < 2) return noticed;
  const rounds = [
    ...hinted.map(({ mutant, layer }) => ({ mutant, layers: [layer] })),
    { layers: hinted.map(({ layer }) => layer) },
  ];
  const ends = await playRounds({ root, compiled, rounds });
  if (ends[hinted.length]?.kind !== 'survived') return noticed;
  for (const [at, { mutant }] of hinted.entries()) {
    const fate = ends[at];
    if (fate?.kind === 'caught') noticed.set(mutant, fate);
  }
  return noticed;
}

/** @param {Mutant} mutant @returns {Promise<Fate>} */
async function judgeOne(mutant) {
  const hint = hintFor(mutant);
  const fate = hint.length === 0 ? undefined : await judge(mutant, hint);
  return fate?.kind === 'caught' ? fate : judge(mutant, orderFor(mutant));
}

/** @param {Record<string, string[]>} tests @returns {Promise<Fate>} */
async function judgeUnbroken(tests) {
  const files = Object.keys(tests);
  const shares = Array.from({ length: atOnce }, (_, share) =>
    files.filter((_, at) => at % atOnce === share),
  );
  const ends = await Promise.all(
    shares.map((own) => judge(undefined, [{ name: 'without', files: own, tests }])),
  );
  return ends.find(({ kind }) => kind !== 'survived') ?? { kind: 'survived' };
}

/**
 * In a process of its own.
 * @param {Mutant | undefined} mutant @param {readonly Layer[]} layers
 * @returns {Promise<Fate>}
 */
async function judge(mutant, layers) {
  const round = { ...(mutant === undefined ? {} : { mutant }), layers };
  const [fate] = await playRounds({ root, compiled, rounds: [round] });
  return fate ?? { kind: 'broken', why: 'it has not said how it ended' };
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
  console.log(`\n${countsOf(chosen)}`);
  // Said where they happened, too, hundreds of lines before.
  for (const mutant of chosen) {
    const fate = fates.get(mutant.id);
    if (fate !== undefined && fate.kind !== 'caught') console.log(lineOf(mutant, fate));
  }
  console.log(`${caught} of ${fates.size} mutants caught (${ways}) in ${seconds} s`);
  const failed = fates.size - caught + (unbroken.kind === 'survived' ? 0 : 1);
  if (unbroken.kind !== 'survived')
    console.log(`✖ without any mutant a test fails: ${JSON.stringify(unbroken)}`);
  tell({ passed: caught, failed });
  process.exitCode = failed === 0 ? 0 : 1;
}

function layersWanted() {
  const given = process.argv.find((argument) => argument.startsWith('--layers='));
  return given === undefined ? [] : given.slice('--layers='.length).split(',');
}

/** @param {string} folder */
function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}
