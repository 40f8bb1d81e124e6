import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openBenchWorld, run } from './bench/world.js';
import { root } from './run.js';

// usage: node scripts/record-run.js
// A second deployment in the sandbox, beside a job that lasts into its drain; what README's pictures are made
// from is kept of its events, in docs/pictures/. Then: npm run generate. It needs the bundle: npm run build.
const program = join(root, 'dist/index.js');
const output = join(root, 'docs/pictures/deployment.jsonl');

const world = await openBenchWorld(program);
try {
  const file = join(world.folder, 'evidence.jsonl');
  /** @type {NodeJS.ProcessEnv} */
  const environment = world.environment;
  await fetch(`${environment['HOSTED_RUNNER_SANDBOX_URL']}/sandbox/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      project: 201,
      tags: ['linux'],
      name: 'build-image',
      script: ['sleep 60'],
    }),
  });
  const args = [program, 'deploy', '--runner', 'linux', '--evidence-file', file];
  await run(world, { node: process.execPath, args });
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const kept = lines.flatMap((line) => keep(JSON.parse(line)));
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
} finally {
  await world.close();
}

/**
 * What is drawn, and nothing of the machine that it was made on.
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
    judgement,
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
      const jobs = judgement.jobs?.map((/** @type {any} */ { id, name, started_at }) => ({
        id,
        name,
        started_at,
      }));
      return [{ at, kind, shard, judgement: { kind: judgement.kind, ...(jobs && { jobs }) } }];
    }
    case 'said':
      return how === 'wait' ? [{ at, kind, how, text }] : [];
    default:
      return [];
  }
}
