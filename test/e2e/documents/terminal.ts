import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../../support/program.ts';
import { longestMs } from '../by-hand/world/running.ts';

/** What a command has printed, both streams in their order. */
export interface Typed {
  readonly line: string;
  readonly text: string;
  readonly exitCode: number;
}

/** A shell in the folder of the project, in which a document's blocks are pasted. */
export interface Terminal {
  /** A line after the other, as a person pastes them; with what each one printed. */
  paste(block: string): Promise<readonly Typed[]>;
  /** Once the line that runs has printed such a thing. */
  until(shown: RegExp): Promise<void>;
  close(): Promise<void>;
}

/** A folder that has the project's `dist/` in it, and programs that stand before everybody's. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A program of that name for every shell here, and for what they start. */
  standIn(name: string, script: string): void;
  remove(): void;
}

export function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  symlinkSync(join(root, 'dist'), join(folder, 'dist'));
  return {
    folder,
    env: { HOME: folder, PATH: [programs, process.env['PATH'] ?? ''].join(delimiter) },
    standIn(name, script) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(programs, name), 0o755);
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Between what one line prints and the next one does; no text of the program's has it. */
const mark = '\u001eended';

export function openTerminal({ folder, env }: Pick<Place, 'folder' | 'env'>): Terminal {
  const shell = spawn('sh', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const closed = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  shell.stdin.write('exec 2>&1\n');

  /** Once what runs has printed such a thing. */
  function until(shown: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!shown.test(said)) return;
        shell.stdout.off('data', look);
        resolve();
      };
      shell.stdout.on('data', look);
      void closed.then(() => reject(new Error(`The shell ended before ${shown}:\n${said}`)));
      look();
    });
  }

  async function type(line: string): Promise<Typed> {
    said = '';
    // What it starts reads nothing: the next line is the shell's.
    shell.stdin.write(`{ ${line}\n} </dev/null; printf '${mark} %d\\n' "$?"\n`);
    const end = new RegExp(`${mark} (\\d+)\n$`);
    const limit = setTimeout(() => shell.kill('SIGKILL'), longestMs);
    await until(end);
    clearTimeout(limit);
    return { line, text: said.replace(end, ''), exitCode: Number(end.exec(said)?.[1]) };
  }

  return {
    until,
    async paste(block) {
      const typed: Typed[] = [];
      for (const line of linesOf(block)) typed.push(await type(line));
      return typed;
    },
    async close() {
      shell.stdin.end();
      shell.kill();
      await closed;
    },
  };
}

/** A sandbox as a person starts it in the first terminal, until it is interrupted. */
export async function serveSandbox(
  { folder, env }: Pick<Place, 'folder' | 'env'>,
  block: string,
): Promise<{ readonly exports: string; stop(): Promise<string> }> {
  const shell = spawn('sh', ['-c', block], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    shell.stdout.on('data', () => said.includes('# Serving until interrupted') && resolve());
    void ended.then((code) => reject(new Error(`It ended with ${code}:\n${said}`)));
  });
  return {
    exports: (said.match(/^export .*$/gm) ?? []).join('\n'),
    /** With everything that it has printed. */
    async stop() {
      // As Ctrl-C does, to all that runs in the terminal.
      process.kill(-(shell.pid ?? 0), 'SIGINT');
      await ended;
      return said;
    },
  };
}

/** Commands of a block, without what stands behind `#`; a loop and a line that a backslash goes on are one. */
export function linesOf(block: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of block.split('\n').map((one) => one.replace(/(^|\s)#\s.*$/, '$1').trimEnd())) {
    open += open === '' ? line : `\n${line}`;
    if (line.endsWith('\\')) continue;
    if (/^(?:for|while|if) /.test(open) && !/\n(?:done|fi)$/.test(open)) continue;
    if (open.trim() !== '') lines.push(open);
    open = '';
  }
  return lines;
}
