import { detectCi } from '../../src/adapters/ci/detect-run.ts';
import { logSections } from '../../src/adapters/ci/sections.ts';
import { createLiveLine } from '../../src/adapters/system/live-line.ts';
import type { CommandSurroundings } from '../../src/cli/validate.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { ManagerProcess } from '../manager/child.ts';

/** What the demo is given of the program that it demonstrates, and that it is a command of. */
export interface DemoedProgram extends CommandSurroundings {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redactor: { add(secret: string): void; redact(text: string): string };
  /** Executable and file, for the sandbox's children. */
  readonly command: readonly string[];
  /** Standard output is a terminal that a person looks at, and that can be drawn on. */
  readonly isScreen: boolean;
  readonly own: Pick<ManagerProcess, 'stdout'>;
}

/** Where the demo is watched: a terminal with a live line, or a CI's log. */
export interface Screen {
  /** A scene begins; a CI folds it. */
  heading(title: string): void;
  say(text: string): void;
  /** A line of the program that runs. */
  relay(line: string): void;
  /** How things stand: on a terminal all the time, elsewhere when `key` changes. */
  standing(text: string, key: string): void;
  close(): void;
}

export function createScreen({
  program,
  color,
}: {
  program: DemoedProgram;
  color: boolean;
}): Screen {
  const { clock, isScreen, environment, write } = program;
  const sections = logSections(detectCi(environment));
  // Whoever has a terminal has all of its stream; the part that we were promised is its write.
  const stream = program.own.stdout as unknown as NodeJS.WritableStream;
  const live = isScreen ? createLiveLine({ stream, clock }) : undefined;
  const bold = (text: string) => (isScreen && color ? `\u001b[1m${text}\u001b[22m` : text);
  const sinceMs = clock.elapsed();
  let open: { name: string; title: string } | undefined;
  let count = 0;
  let shownKey = '';

  const atSeconds = () => Math.floor(clock.now() / 1000);
  const print = (text: string) => {
    live?.clear();
    write(text);
  };
  const close = () => {
    if (open !== undefined) print(sections.close({ ...open, atSeconds: atSeconds() }));
    open = undefined;
  };
  return {
    heading(title) {
      close();
      count += 1;
      open = { name: `demo_${count}`, title };
      print(`\n${sections.open({ ...open, title: bold(title), atSeconds: atSeconds() })}`);
    },
    say: (text) => print(`${text === '' ? '' : `  ${text}`}\n`),
    relay: (line) => print(`  │ ${line}\n`),
    standing(text, key) {
      if (live !== undefined) live.show(text, sinceMs);
      else if (key !== shownKey) print(`  ${text}\n`);
      shownKey = key;
    },
    close() {
      close();
      live?.clear();
    },
  };
}
