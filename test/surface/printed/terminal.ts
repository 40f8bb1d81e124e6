import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsIn } from '../../errors/commands-in.ts';
import { bundledProgram } from '../../support/program.ts';

export interface Typed {
  /** Exit code with the error's code if any; `serves` for a command that only a signal ends. */
  readonly how: string;
  readonly text: string;
  /** Lines under `fix`. */
  readonly fix: readonly string[];
}

/** Shell with `hosted-runner` on its PATH. */
export interface Terminal {
  readonly folder: string;
  /** Runs a pasted line. */
  type(line: string, environment?: Readonly<Record<string, string>>): Promise<Typed>;
  /** Runs a pasted line of a command with a server. Resolves when the server is up. */
  startServer(line: string, environment?: Readonly<Record<string, string>>): Promise<RunningServer>;
  close(): void;
}

export interface RunningServer {
  readonly text: () => string;
  stop(): Promise<number | null>;
}

const listening = /# Running until|Listening on http/;
const onlyASignalEndsIt = /^hosted-runner (sandbox(?! apply| destroy| signal)|.* --listen )/;

export function openTerminal(environment: Readonly<Record<string, string>> = {}): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'printed-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'hosted-runner'),
    `#!/bin/sh\nexec '${process.execPath}' '${bundledProgram}' "$@"\n`,
  );
  chmodSync(join(bin, 'hosted-runner'), 0o755);
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const running = new Set<ReturnType<typeof start>>();

  function start(line: string, more: Readonly<Record<string, string>>) {
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: folder,
      env: { HOME: folder, ...environment, ...more, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let onOutput = () => {};
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        onOutput();
      });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const ready = new Promise<'serves'>((resolve) => {
      onOutput = () => listening.test(text) && resolve('serves');
    });
    const one = { child, ended, ready, text: () => text };
    running.add(one);
    void ended.then(() => running.delete(one));
    return one;
  }

  const startServer: Terminal['startServer'] = async (line, more = {}) => {
    const one = start(`exec ${line}`, more);
    const first = await Promise.race([one.ready, one.ended]);
    if (first !== 'serves') throw new Error(`${line} ended with ${first}: ${one.text()}`);
    return {
      text: one.text,
      stop: () => {
        one.child.kill('SIGTERM');
        return one.ended;
      },
    };
  };

  const type: Terminal['type'] = async (line, more = {}) => {
    if (onlyASignalEndsIt.test(line)) {
      const one = start(`exec ${line}`, more);
      if ((await Promise.race([one.ready, one.ended])) === 'serves') {
        one.child.kill('SIGTERM');
        return { ...seen(await one.ended, one.text()), how: `serves, ${await one.ended}` };
      }
      return seen(await one.ended, one.text());
    }
    const one = start(line, more);
    return seen(await one.ended, one.text());
  };

  return {
    folder,
    type,
    startServer,
    close: () => {
      for (const { child } of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function seen(exitCode: number | null, text: string): Typed {
  const code = /^ {2}ref {2}(\w+) /m.exec(text)?.[1];
  const [, fix = ''] = /^ {2}fix {2}([\s\S]*?)^ {2}ref /m.exec(text) ?? [];
  return {
    how: [exitCode, ...(code === undefined ? [] : [code])].join(' '),
    text,
    fix: fix.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])),
  };
}

/** Types every `hosted-runner` command of an error, in order. */
export async function typeAll(
  terminal: Terminal,
  error: Typed,
  {
    fill = (line) => line,
    before = () => {},
  }: {
    /** Changes by the operator before each command. */
    readonly fill?: (line: string) => string;
    readonly before?: (line: string) => void;
  } = {},
): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const command of commandsIn(error.fix)) {
    before(command);
    ends[command] = (await terminal.type(fill(command))).how;
  }
  return ends;
}

/** Reads the variables that a sandbox prints for a terminal. */
export function exportsIn(text: string): Record<string, string> {
  const lines = text.matchAll(/^export (\w+)=(?:'(.*)'|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, name, quoted, bare]) => [name, quoted ?? bare]));
}
