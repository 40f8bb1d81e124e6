import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../../support/program.ts';
import { longestMs } from '../by-hand/world/running.ts';

/** Output of a command, with both streams in order. */
export interface Typed {
  readonly line: string;
  readonly text: string;
  readonly exitCode: number;
}

/** Shell in the project's folder, into which a document's blocks are pasted. */
export interface Terminal {
  /** Pastes line after line like an operator. Returns each line's output. */
  paste(block: string): Promise<readonly Typed[]>;
  /** Waits until the running line prints the pattern. */
  until(shown: RegExp): Promise<void>;
  close(): Promise<void>;
}

/** Folder with the project's `dist/`, and stand-ins that precede other programs on the PATH. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Installs a stand-in for a program, for every shell here and its children. */
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

/** Separator between the outputs of two lines, which no text of the program contains. */
const mark = '\u001eended';

export function openTerminal({ folder, env }: Pick<Place, 'folder' | 'env'>): Terminal {
  const shell = spawn('sh', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const closed = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  shell.stdin.write('exec 2>&1\n');

  /** Waits until the running command prints the pattern. */
  function until(shown: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!shown.test(output)) return;
        shell.stdout.off('data', check);
        resolve();
      };
      shell.stdout.on('data', check);
      void closed.then(() => reject(new Error(`The shell ended before ${shown}:\n${output}`)));
      check();
    });
  }

  async function type(line: string): Promise<Typed> {
    output = '';
    // Commands get no input: the next line belongs to the shell.
    shell.stdin.write(`{ ${line}\n} </dev/null; printf '${mark} %d\\n' "$?"\n`);
    const end = new RegExp(`${mark} (\\d+)\n$`);
    const limit = setTimeout(() => shell.kill('SIGKILL'), longestMs);
    await until(end);
    clearTimeout(limit);
    return { line, text: output.replace(end, ''), exitCode: Number(end.exec(output)?.[1]) };
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

/** Starts a sandbox like an operator in the first terminal, until an interrupt. */
export async function startSandbox(
  { folder, env }: Pick<Place, 'folder' | 'env'>,
  block: string,
): Promise<{ readonly exports: string; stop(): Promise<string> }> {
  const shell = spawn('sh', ['-c', block], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    shell.stdout.on('data', () => output.includes('# Running until interrupted') && resolve());
    void ended.then((code) => reject(new Error(`It ended with ${code}:\n${output}`)));
  });
  return {
    exports: (output.match(/^export .*$/gm) ?? []).join('\n'),
    /** Returns everything that the sandbox printed. */
    async stop() {
      // Like Ctrl-C, the signal goes to all processes of the terminal.
      process.kill(-(shell.pid ?? 0), 'SIGINT');
      await ended;
      return output;
    },
  };
}

/**
 * Returns the commands of a block without `#` comments. A loop or a continued line is one command.
 */
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
