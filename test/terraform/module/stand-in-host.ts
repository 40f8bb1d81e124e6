import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/program.ts';
import { type InstanceMetadata, startInstanceMetadata } from './instance-metadata.ts';

export const hostFiles = join(root, 'terraform/files');

/** Folder that acts as a runner manager's host, with stand-ins for its programs. */
export interface StandInHost {
  readonly folder: string;
  readonly imds: InstanceMetadata;
  /** Installs a program on the host that records each call. */
  stub(name: string, body: string): void;
  calls(): string[];
  start(script: string, options?: { shell?: string; env?: Record<string, string> }): RunningScript;
  close(): Promise<void>;
}

export interface RunningScript {
  readonly ended: Promise<{ code: number | null; text: string }>;
  text(): string;
  kill(): void;
  interrupt(): void;
}

export async function openHost(): Promise<StandInHost> {
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  mkdirSync(join(folder, 'bin'));
  const imds = await startInstanceMetadata();
  return {
    folder,
    imds,
    stub(name, body) {
      const file = join(folder, 'bin', name);
      writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>"$HOST/calls"\n${body}\n`);
      chmodSync(file, 0o755);
    },
    calls: () =>
      existsSync(join(folder, 'calls'))
        ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
        : [],
    start: (script, { shell = '/bin/sh', env = {} } = {}) =>
      run([shell, script], {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        HOST: folder,
        IMDS_URL: imds.url,
        AWS_REGION: 'eu-west-1',
        INSTANCE_ID: 'i-0123456789abcdef0',
        POLL_SECONDS: '0.05',
        QUIT_RUNNER: 'quit-runner',
        ...env,
      }),
    async close() {
      await imds.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run([file = '', ...words]: string[], env: Record<string, string>): RunningScript {
  const child = spawn(file, words, { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return {
    ended: new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, text }));
    }),
    kill: () => child.kill('SIGKILL'),
    interrupt: () => child.kill('SIGINT'),
    text: () => text,
  };
}

/**
 * Polls until the condition holds. The effects of a script appear only in the host's files and
 * calls.
 */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
