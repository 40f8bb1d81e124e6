import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '../../support/program.ts';
import type { World } from '../by-hand/world.ts';

/** The bundle in a process that stays, for the runs that nobody kills: most of a run's price is its start. */
export interface ReadyProgram {
  /** Throws what was said where it does not end well. */
  run(args: readonly string[]): Promise<void>;
  close(): void;
}

const script = join(dirname(fileURLToPath(import.meta.url)), 'again-and-again.js');

export function startReadyProgram({ environment, folder }: World): ReadyProgram {
  const child = spawn(process.execPath, [script, bundledProgram], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ends = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]();
  return {
    async run(args) {
      text = '';
      child.stdin.write(`${JSON.stringify(args)}\n`);
      const { value: exitCode } = await ends.next();
      if (exitCode !== '0') throw new Error(`${args[0]}: exit code ${exitCode}\n${text}`);
    },
    close: () => child.kill('SIGKILL'),
  };
}
