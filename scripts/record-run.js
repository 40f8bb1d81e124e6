import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './run.js';

// usage: node scripts/record-run.js
// Runs the demo, and stores the events of its second deployment for the pictures of README in
// docs/pictures/. Then: npm run generate. It needs the bundle: npm run build.
const output = join(root, 'docs/pictures/deployment.jsonl');
const folder = mkdtempSync(join(tmpdir(), 'record-run-'));
try {
  const events = await playDemo();
  const kept = events
    .trim()
    .split('\n')
    .flatMap((line) => keep(JSON.parse(line)));
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Promise<string>} the events of the second deployment */
async function playDemo() {
  const demo = spawn(process.execPath, [join(root, 'dist/index.js'), 'demo', '--plain'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: 'inherit',
  });
  const ended = once(demo, 'exit');
  const kept = join(folder, 'events.jsonl');
  // A link to the file outlives the demo's own folder.
  while (demo.exitCode === null && !existsSync(kept)) {
    const [own] = readdirSync(folder).filter((name) => name.startsWith('hosted-runner-demo-'));
    const file = join(folder, own ?? '', 'stack-1/evidence-2.jsonl');
    if (existsSync(file)) linkSync(file, kept);
    await sleep(100);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The demo ended with ${code}.`);
  return readFileSync(kept, 'utf8');
}

/**
 * Keeps the drawn fields of an event, and nothing about the machine of the run.
 * @param {any} line
 * @returns {object[]}
 */
function keep({ at, kind, ...rest }) {
  const {
    how,
    deployment,
    shard,
    verdict,
    evidence,
    service,
    judgement: drainVerdict,
    step,
    phase,
    active,
    text,
  } = rest;
  const { runner_name, shards } = rest.stack ?? {};
  switch (kind) {
    case 'run':
      return [{ at, kind, command: rest.command, stack: { runner_name, shards } }];
    case 'record': {
      const { id, candidate, retiring, phase: now, phase_at, started_at, expected_at } = deployment;
      const view = { id, candidate, retiring, phase: now, phase_at, started_at, expected_at };
      return [{ at, kind, how, deployment: view }];
    }
    case 'status':
      return [{ at, kind, active }];
    case 'step':
      return [{ at, kind, step, phase }];
    case 'service':
      return [{ at, kind, shard, service: { kind: service.kind } }];
    case 'evidence': {
      const states = evidence.map((/** @type {any} */ one) => ({
        kind: one.kind,
        state: one.state,
      }));
      return [{ at, kind, shard, verdict, evidence: states }];
    }
    case 'drain': {
      const jobs = drainVerdict.jobs?.map((/** @type {any} */ { id, name, started_at }) => ({
        id,
        name,
        started_at,
      }));
      return [{ at, kind, shard, judgement: { kind: drainVerdict.kind, ...(jobs && { jobs }) } }];
    }
    case 'said':
      return how === 'wait' ? [{ at, kind, how, text }] : [];
    default:
      return [];
  }
}
