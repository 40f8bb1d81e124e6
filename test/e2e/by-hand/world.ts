import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConfiguration } from '../../../sandbox/configuration.ts';
import { promptAws, type SandboxOptions } from '../../../sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { programUnderTest, type Running, startProgram } from './running.ts';

/** Waiting that is only the world's own slowness is shortened; what is decided is not. */
export const shortened = [
  'healthcheck.poll=200ms',
  // Nothing waits for so long but what hangs: a slow machine is no unhealthy shard.
  'healthcheck.timeout=5m',
  'drain.poll_of_runner=600ms',
  'drain.confirmation=2s',
  'drain.poll=200ms',
];

export interface Order {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Keys of the configuration, after the shortened ones. */
  readonly set?: readonly string[];
}

/** A sandbox in a folder of its own, and the program that deploys in it. */
export interface World {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  start(order: Order): Running;
  /** A stage or an operator's command of the stack `linux`, run to its end. */
  stage(name: string, order?: Partial<Order>): Promise<Awaited<Running['ended']>>;
  close(): Promise<void>;
}

export async function openWorld({
  file = programUnderTest,
  runners = 'gitlab',
  ...options
}: Partial<SandboxOptions> & { file?: string } = {}): Promise<World> {
  const program = [process.execPath, file];
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
  const config = ensureConfiguration({ folder, program, url: sandbox.url, runners });
  const environment = {
    ...sandbox.environment,
    HOSTED_RUNNER_CONFIG: config,
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
  };
  const running = new Set<Running>();
  const start = ({ args, env = {}, set = [] }: Order): Running => {
    const overrides = [...shortened, ...set].flatMap((assignment) => ['--set', assignment]);
    const one = startProgram({
      program: file,
      args: args[0] === 'sandbox' ? args : [...args, ...overrides],
      env: { ...environment, ...env },
      cwd: folder,
    });
    running.add(one);
    void one.ended.then(() => running.delete(one));
    return one;
  };
  return {
    sandbox,
    folder,
    environment,
    start,
    stage: (name, order = {}) =>
      start({ ...order, args: [name, '--runner', 'linux', ...(order.args ?? [])] }).ended,
    async close() {
      for (const one of running) one.kill('SIGKILL');
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A configuration beside the usual one. */
export function writeConfiguration({ folder }: World, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
