import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { parse } from 'yaml';
import { binaryOf } from '../../../scripts/run.js';
import type { CiJob } from '../../templates/configuration.ts';

export interface LocalRun {
  readonly exitCode: number | null;
  readonly output: string;
  /** Verdict of gitlab-ci-local for each job that ran. */
  readonly verdicts: Readonly<Record<string, 'PASS' | 'WARN' | 'FAIL'>>;
}

/** Runs gitlab-ci-local in a folder. */
export async function runLocally({
  folder,
  args,
  variables = {},
  environment = {},
}: {
  folder: string;
  args: readonly string[];
  variables?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
}): Promise<LocalRun> {
  const given = Object.entries(variables).flatMap(([name, value]) => [
    '--variable',
    `${name}=${value}`,
  ]);
  const { exitCode, output } = await start(
    [
      // gitlab-ci-local accepts no absolute folder.
      '--cwd',
      relative(process.cwd(), folder),
      '--force-shell-executor',
      '--shell-isolation',
      '--no-color',
      '--no-artifacts-to-source',
      // test/templates validates the files against the schema, which would double the duration
      // here.
      '--no-json-schema-validation',
      '--ignore-predefined-vars',
      Object.keys(variables).join(','),
      ...given,
      ...args,
    ],
    environment,
  );
  return { exitCode, output, verdicts: verdictsOf(output) };
}

/** Returns a configuration with includes, inputs and `extends` resolved by gitlab-ci-local. */
export async function previewLocally(folder: string): Promise<Record<string, CiJob>> {
  const args = ['--cwd', relative(process.cwd(), folder), '--preview', '--no-color'];
  const { output } = await start(args, {});
  return parse(output.slice(output.indexOf('---\n')));
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const program = binaryOf('gitlab-ci-local', 'gitlab-ci-local');
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise<{ exitCode: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

function verdictsOf(output: string): LocalRun['verdicts'] {
  const lines = output.matchAll(/^ (PASS|WARN|FAIL) {1,2}(.*?)(?: +pre_script)? *$/gm);
  return Object.fromEntries([...lines].map(([, verdict, name]) => [name, verdict]));
}
