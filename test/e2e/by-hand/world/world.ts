import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConfiguration } from '../../../../sandbox/configuration.ts';
import { promptAws, type SandboxOptions } from '../../../../sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/sandbox.ts';
import { bundledProgram } from '../../../support/program.ts';
import { runReady } from './ready-program.ts';
import { type End, type Running, startProgram } from './running.ts';

/** Settings that shorten the world's own delays, without an effect on decisions. */
export const shortened = [
  'healthcheck.poll=200ms',
  // The limit only ends a hang: a slow machine does not count as an unhealthy shard.
  'healthcheck.timeout=5m',
  'drain.poll_of_runner=600ms',
  'drain.confirmation=2s',
  'drain.poll=200ms',
];

/** Variables with the same settings, for typed commands and the jobs of pipelines. */
export const shortenedVariables = Object.fromEntries(
  shortened.map((assignment) => {
    const [key = '', value = ''] = assignment.split('=');
    return [`HOSTED_RUNNER_${key.replaceAll('.', '_').toUpperCase()}`, value];
  }),
);

export interface Order {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Additional keys of the configuration. */
  readonly set?: readonly string[];
}

/** Sandbox with its own folder, and the program that deploys in it. */
export interface World {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Starts the program in a separate process, to kill it. */
  start(order: Order): Running;
  /** Runs the command to its end in a prepared process. */
  run(order: Order): Promise<End>;
  /** Runs a stage or an operator's command of the stack `linux` to its end. */
  stage(name: string, order?: Partial<Order>): Promise<End>;
  close(): Promise<void>;
}

/** Cheaper replacement of `sandbox apply`, which would cost as much processor time as a stage. */
const orderShard = join(dirname(fileURLToPath(import.meta.url)), 'order-shard.js');

export async function openWorld({
  runners = 'gitlab',
  ...options
}: Partial<SandboxOptions> = {}): Promise<World> {
  const program = [process.execPath, bundledProgram];
  const folder = mkdtempSync(join(tmpdir(), 'by-hand-'));
  const sandbox = await startSandbox({
    folder,
    program,
    searchPath: process.env['PATH'] ?? '',
    ...options,
    windows: {
      ...promptAws,
      recreateAfterMs: 300,
      commandVisibleAfterMs: 20,
      parameterWritesPerSecond: 0,
      parameterReadsPerSecond: 0,
      ...options.windows,
    },
    behaviour: {
      bootDelayMs: 100,
      agentDelayMs: 0,
      checkIntervalMs: 200,
      traceIntervalMs: 200,
      resourceMs: 10,
      ...(runners === 'github' ? { process: 'actions_runner', runnerVersion: '2.337.0' } : {}),
      ...options.behaviour,
    },
  });
  const ordering = [process.execPath, orderShard];
  const config = ensureConfiguration({ folder, program: ordering, url: sandbox.url, runners });
  const environment = {
    ...sandbox.environment,
    HOSTED_RUNNER_CONFIG: config,
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
  };
  const running = new Set<Running>();
  const callOf = ({ args, env = {}, set = [] }: Order) => {
    const overrides = [...shortened, ...set].flatMap((assignment) => ['--set', assignment]);
    return {
      args: args[0] === 'sandbox' ? args : [...args, ...overrides],
      env: { ...environment, ...env },
      cwd: folder,
    };
  };
  const start = (order: Order): Running => {
    const one = startProgram(callOf(order));
    running.add(one);
    void one.ended.then(() => running.delete(one));
    return one;
  };
  const run = (order: Order) => (isForNode(order) ? start(order).ended : runReady(callOf(order)));
  return {
    sandbox,
    folder,
    environment,
    start,
    run,
    stage: (name, order = {}) =>
      run({ ...order, args: [name, '--runner', 'linux', ...(order.args ?? [])] }),
    async close() {
      for (const one of running) one.kill('SIGKILL');
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Decides whether Node itself reads a variable at its start. */
function isForNode({ env = {} }: Order): boolean {
  return Object.keys(env).some((name) => name.startsWith('NODE_'));
}

/** Writes an additional configuration. */
export function writeConfiguration({ folder }: World, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
