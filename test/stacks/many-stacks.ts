import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promptAws } from '../../sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { deploymentId } from '../support/promoted-stack.ts';
import { configurationOf } from './configuration.ts';
import { buildPromoted } from './stack.ts';

export interface ManyStacks {
  readonly stacks: number;
  readonly exitCode: number | null;
  readonly output: string;
  /** Seconds from the start of the process to its end. */
  readonly seconds: number;
  /** Calls of the process to GitLab's REST API, and those with a 429. */
  readonly calls: number;
  readonly refused: number;
  /** Maximum number of calls by all stacks in any minute. */
  readonly mostAMinute: number;
  /**
   * GitLab calls per stack and minute during `holdMs`, while all stacks drain; absent without it.
   */
  readonly drainingAMinute?: number;
  /** Maximum memory; undefined if the system does not report it. */
  readonly memoryMb: number | undefined;
  /** Failed jobs, of two per stack: one on each shard. */
  readonly lost: number;
  /** Machines, registrations and locks of the retired shards that remain. */
  readonly left: number;
}

/**
 * Finishes the deployments of many stacks at once in one process of the bundle. It runs in
 * wall-clock time, in a world with the published limits of GitLab.com and AWS. Each retiring shard
 * has a job that ends a minute and `holdMs` after the last drain began.
 */
export async function finishManyStacks({
  stacks,
  holdMs,
  bundle,
}: {
  readonly stacks: number;
  readonly holdMs: number;
  readonly bundle: string;
}): Promise<ManyStacks> {
  const folder = mkdtempSync(join(tmpdir(), 'many-stacks-'));
  const program = [process.execPath, bundle];
  const sandbox = await startSandbox({
    folder,
    program,
    searchPath: process.env['PATH'] ?? '',
    rateLimits: 'gitlab.com',
    windows: promptAws,
    behaviour: { agentDelayMs: 0 },
  });
  try {
    const names = Array.from({ length: stacks }, (_, at) => `stack-${at}`);
    const retiring: number[] = [];
    for (const name of names) retiring.push((await buildPromoted(sandbox, name)).pink);
    const isOver = join(folder, 'over');
    for (const name of names) submit(sandbox, name, isOver);
    await until(() => sandbox.gitlab.jobs().every(({ status }) => status !== 'pending'));
    const before = sandbox.gitlab.traffic();
    const config = join(folder, 'many.yml');
    writeFileSync(config, configurationOf({ names, program, url: sandbox.url }));
    const running = start(sandbox, { folder, config, bundle });
    const isDraining = () =>
      sandbox.gitlab
        .runners()
        .filter(({ id }) => retiring.includes(id))
        .every(({ paused }) => paused);
    await until(() => running.hasEnded() || isDraining());
    const draining = holdMs > 0 ? await callsWithin(sandbox, running.ended, holdMs) : undefined;
    writeFileSync(isOver, '');
    const ended = await running.ended;
    const traffic = sandbox.gitlab.traffic();
    return {
      stacks,
      ...ended,
      ...(draining === undefined ? {} : { drainingAMinute: draining / stacks / (holdMs / 60_000) }),
      calls: traffic.calls - before.calls,
      refused: traffic.refused,
      mostAMinute: traffic.mostAMinute,
      lost: sandbox.gitlab.jobs().filter(({ status }) => status !== 'success').length,
      left: leftOf(sandbox, retiring),
    };
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time after which a drain's additional first calls have ended. */
const settledAfterMs = 60_000;

/** Returns the calls in a period; NaN if the process ended before. */
async function callsWithin(
  { gitlab }: Sandbox,
  ended: Promise<unknown>,
  holdMs: number,
): Promise<number> {
  const hold = (ms: number) =>
    Promise.race([ended.then(() => 'ended' as const), sleep(ms, 'held' as const, { ref: false })]);
  await hold(settledAfterMs);
  const before = gitlab.traffic().calls;
  return (await hold(holdMs)) === 'held' ? gitlab.traffic().calls - before : Number.NaN;
}

function submit(sandbox: Sandbox, name: string, isOver: string): void {
  sandbox.gitlab.submitJob({
    project: 201,
    tags: [`${name}-first`],
    script: [`until [ -e '${isOver}' ]; do sleep 1; done`],
  });
}

function start(
  sandbox: Sandbox,
  { folder, config, bundle }: { folder: string; config: string; bundle: string },
) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bundle, 'finalize', '--all'], {
    cwd: folder,
    env: {
      ...sandbox.environment,
      HOSTED_RUNNER_CONFIG: config,
      HOSTED_RUNNER_DEPLOYMENT: deploymentId,
      HOME: folder,
      PATH: process.env['PATH'],
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let hasEnded = false;
  let memoryMb: number | undefined;
  const watch = setInterval(() => {
    memoryMb = mostMemoryMb(child.pid) ?? memoryMb;
  }, 1000);
  const ended = new Promise<Pick<ManyStacks, 'exitCode' | 'output' | 'seconds' | 'memoryMb'>>(
    (settle, refuse) => {
      child.on('error', refuse);
      child.on('close', (exitCode) => {
        clearInterval(watch);
        hasEnded = true;
        settle({ exitCode, output, memoryMb, seconds: (performance.now() - startedAt) / 1000 });
      });
    },
  );
  return { ended, hasEnded: () => hasEnded };
}

/** Only Linux reports this for another process. */
function mostMemoryMb(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

function leftOf(sandbox: Sandbox, retiring: readonly number[]): number {
  const machines = sandbox.fleet
    .list()
    .filter(({ shard, state }) => shard === 'pink' && state !== 'terminated');
  const registrations = sandbox.gitlab.runners().filter(({ id }) => retiring.includes(id));
  return machines.length + registrations.length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(200);
}
