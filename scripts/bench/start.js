import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';
import { openBenchWorld, run } from './world.js';

// usage: node scripts/bench/start.js [folder of the bundle]
// Measures the start of the bundle, as ratios to `node -e 0` in the same run, and the JavaScript
// that it loads. The run fails by size, or by a ratio that no load of the machine explains.
const dist = process.argv[2] ?? join(root, 'dist');
const program = join(dist, 'index.js');
const healthcheck = ['healthcheck', '--runner', 'linux'];
const rounds = 15;
// Both sides of a ratio run in turns, so load moves it little; a lost optimisation doubles it.
const alarming = 2;
// Limits against mistakes, such as loading all of an AWS service. Simplicity takes precedence over
// milliseconds.
const wanted = { help: 1.5, call: 4.5, loadedBytes: 3_000_000, allBytes: 6_000_000 };

/** @typedef {import('./world.js').BenchWorld} BenchWorld */

const world = await openBenchWorld(program);
try {
  for (const node of nodes()) await printTimes(node);
  await printSizes();
} finally {
  await world.close();
}

/**
 * Lists the Node of this machine, and the one that the action runs on if .ci/run has installed it.
 */
function nodes() {
  const other = process.env['TOOL_NODE24'] ?? join(root, '.ci/tools/node_modules/node24/bin/node');
  return existsSync(other) ? [process.execPath, other] : [process.execPath];
}

async function printTimes(/** @type {string} */ node) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  /** @type {Record<'bare' | 'help' | 'call', number[]>} */
  const times = { bare: [], help: [], call: [] };
  // In turns: a busy moment of the machine then affects all of them.
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push((await run(world, { node, args: ['-e', '0'] })).ms);
    times.help.push((await run(world, { node, args: [program, '--help'] })).ms);
    times.call.push(
      (await run(world, { node, args: [program, ...healthcheck], until: 'call' })).ms,
    );
  }
  const bare = fastest(times.bare);
  console.log(`Node ${version}: node -e 0 takes ${bare.toFixed(0)} ms (the fastest of ${rounds})`);
  console.log(`  --help             ${ratio(fastest(times.help), bare, wanted.help)}`);
  console.log(`  first GitLab call  ${ratio(fastest(times.call), bare, wanted.call)}`);
}

/** @param {number} ms @param {number} bare @param {number} most */
function ratio(ms, bare, most) {
  const times = ms / bare;
  if (times > most * alarming) process.exitCode = 1;
  return `${times.toFixed(2)}×, wanted ${most}× at most ${times > most ? '✖' : '✔'} (${ms.toFixed(0)} ms)`;
}

/** Returns the fastest start: other work of the machine makes a start slower, never faster. */
function fastest(/** @type {number[]} */ values) {
  return Math.min(...values);
}

async function printSizes() {
  const all = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const loaded = await filesLoadedBy({ args: healthcheck });
  const asAction = await filesLoadedBy({
    args: [],
    env: { INPUT_STAGE: '', INPUT_RUNNER_NAME: 'linux' },
  });
  const isSmall = [
    checkSize('loaded by a health check', loaded, wanted.loadedBytes),
    checkSize('loaded by a health check as an action', asAction, wanted.loadedBytes),
    checkSize('in dist/', all, wanted.allBytes),
  ];
  if (isSmall.includes(false)) process.exitCode = 1;
}

/** @param {string} what @param {string[]} names @param {number} most */
function checkSize(what, names, most) {
  const bytes = names.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  const isSmall = bytes <= most;
  const [mb, mostMb] = [bytes, most].map((size) => (size / 1_000_000).toFixed(2));
  console.log(`JavaScript ${what}: ${mb} MB, wanted ${mostMb} MB at most ${isSmall ? '✔' : '✖'}`);
  if (!isSmall) {
    const largest = [...names].sort(
      (a, b) => statSync(join(dist, b)).size - statSync(join(dist, a)).size,
    );
    console.log(
      `  the largest: ${largest
        .slice(0, 6)
        .map((name) => `${name} ${statSync(join(dist, name)).size}`)
        .join(', ')}`,
    );
  }
  return isSmall;
}

/**
 * Lists the files of dist/ that a run loads: a hook in Node's module loader notes them.
 * @param {{ args: readonly string[], env?: NodeJS.ProcessEnv }} call
 */
async function filesLoadedBy({ args, env = {} }) {
  const list = join(world.folder, `loaded-${args.length}`);
  writeFileSync(list, '');
  const hooks = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n');
  return next(url, context);
}`;
  const register = `import { register } from 'node:module';
register(${JSON.stringify(asModule(hooks))});`;
  const node = process.execPath;
  await run(world, { node, args: ['--import', asModule(register), program, ...args], env });
  const names = readFileSync(list, 'utf8')
    .split('\n')
    .map((url) => url.slice(url.lastIndexOf('/') + 1).replace(/\?.*/, ''));
  return [...new Set(names)].filter((name) => name.endsWith('.js') && existsSync(join(dist, name)));
}

function asModule(/** @type {string} */ source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
