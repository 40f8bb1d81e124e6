import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { openBenchWorld, run } from './bench/world.js';
import { openBrowser } from './browser.js';
import { root } from './run.js';

// usage: node scripts/screenshots.js [page.html …]
// Takes pictures of pages as readers see them, in screenshots/. Without arguments, it shows the
// demo's report, a timeline and the dashboard, from real runs in the sandbox. It needs chromium on
// the PATH and the bundle of this folder: npm run build.
const program = join(root, 'dist/index.js');
const folder = join(root, 'screenshots');

mkdirSync(folder, { recursive: true });
const given = process.argv.slice(2).map((path) => [basename(path, extname(path)), path]);
// Before minutes of runs: a missing browser is reported at once.
const browser = await openBrowser('chromium').catch(noBrowser);
try {
  const pages = given.length > 0 ? Object.fromEntries(given) : await play();
  for (const [name, path] of Object.entries(pages)) await take(name, path);
} finally {
  await browser.close();
}

/** @returns {never} */
function noBrowser(/** @type {Error} */ error) {
  process.stderr.write(
    `Cannot open a page: ${error.message}\nInstall chromium (Debian: apt-get install chromium), and run this again.\n`,
  );
  process.exit(1);
}

async function take(/** @type {string} */ name, /** @type {string} */ path) {
  const html = readFileSync(path, 'utf8');
  for (const width of [320, 1280])
    for (const scheme of /** @type {const} */ (['light', 'dark'])) {
      await browser.show({ html, width, scheme });
      save(`${name}-${width}-${scheme}.png`, await browser.picture());
    }
  await browser.show({ html, width: 1000, scheme: 'light', media: 'print' });
  save(`${name}-print.png`, await browser.picture());
}

function save(/** @type {string} */ name, /** @type {Buffer} */ picture) {
  writeFileSync(join(folder, name), picture);
  process.stdout.write(`screenshots/${name}\n`);
}

/** Runs a second deployment up to its drain, which waits for a job meanwhile, and the demo. */
async function play() {
  const paths = {
    timeline: join(folder, 'provision/timeline.html'),
    'timeline-of-drain': join(folder, 'shutdown/timeline.html'),
    dashboard: join(folder, 'dashboard.html'),
    report: join(folder, 'report.html'),
  };
  const world = await openBenchWorld(program);
  try {
    const type = (/** @type {string[]} */ ...args) =>
      run(world, { node: process.execPath, args: [program, ...args] });
    const stage = (/** @type {string} */ name) =>
      type(name, '--runner', 'linux', '--report-dir', join(folder, name));
    // Before the switch: the shard to be drained must run the job.
    await giveWork(world.environment);
    for (const name of ['prepare', 'onboard', 'provision']) await stage(name);
    let isOver = false;
    const draining = stage('shutdown').finally(() => {
      isOver = true;
    });
    do await type('dashboard', '--once', paths.dashboard);
    while (!isOver && !readFileSync(paths.dashboard, 'utf8').includes('1 job left'));
    await draining;
    await type('demo', '--report', paths.report);
  } finally {
    await world.close();
  }
  return paths;
}

async function giveWork(/** @type {NodeJS.ProcessEnv} */ environment) {
  const job = { project: 201, tags: ['linux'], script: ['sleep 150'] };
  const sandbox = environment['HOSTED_RUNNER_SANDBOX_URL'];
  await fetch(`${sandbox}/sandbox/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(job),
  });
}
