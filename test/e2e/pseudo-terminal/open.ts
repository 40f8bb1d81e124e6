import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longestMs } from '../by-hand/world/running.ts';
import { openScreen } from './screen.ts';

const relay = join(dirname(fileURLToPath(import.meta.url)), 'terminal.py');

export interface PseudoTerminal {
  /** Returns the visible rows, including those that scrolled away. */
  rows(): readonly string[];
  /** Returns everything that was written to the terminal, in order. */
  drawn(): string;
  /**
   * Waits until the screen satisfies `is`, the program ends or the limit passes. Returns the last
   * rows.
   */
  until(what: string, is: (rows: readonly string[]) => boolean): Promise<readonly string[]>;
  resize(size: { rows: number; columns: number }): void;
  /** Types keys. */
  type(keys: string): void;
  /** Types Ctrl-C. */
  interrupt(): void;
  /** Closes the window. */
  close(): void;
  readonly ended: Promise<number | null>;
}

export function openPseudoTerminal({
  python,
  limitMs = longestMs,
  ...order
}: {
  readonly python: string;
  /** Time after which the program is ended. */
  readonly limitMs?: number;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly rows: number;
  readonly columns: number;
}): PseudoTerminal {
  const child = spawn(python, [relay], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(order)}\n`);
  const screen = openScreen(order.columns);
  const waiting = new Set<() => void>();
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen.write(text);
    drawn += text;
    for (const check of waiting) check();
  });
  const limit = setTimeout(() => child.kill('SIGTERM'), limitMs);
  // A program that the limit ended has a signal and no exit code.
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      hasEnded = true;
      resolve(code);
      for (const check of waiting) check();
    });
  });
  return {
    rows: screen.rows,
    drawn: () => drawn,
    until: (what, is) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const rows = screen.rows();
          if (is(rows)) resolve(rows);
          else if (hasEnded) reject(new Error(`Never ${what}:\n${rows.join('\n')}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
    resize({ rows, columns }) {
      screen.resize(columns);
      child.stdin.write(`size ${rows} ${columns}\n`);
    },
    type: (keys) => child.stdin.write(`type ${JSON.stringify(keys)}\n`),
    interrupt: () => child.stdin.write('interrupt\n'),
    close: () => child.kill('SIGTERM'),
    ended,
  };
}
