import { detectCi } from '../../src/adapters/ci/detect-run.ts';
import { logSections } from '../../src/adapters/ci/sections.ts';
import type { TerminalStream } from '../../src/adapters/system/frame.ts';
import { createLiveLine } from '../../src/adapters/system/live-line.ts';
import { dress, emphasise, type TerminalStyle } from '../../src/cli/terminal/terminal-style.ts';
import type { CommandSurroundings } from '../../src/cli/validate-command.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** What the demo is given of the program that it demonstrates, and that it is a command of. */
export interface DemoedProgram extends Omit<CommandSurroundings, 'write'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redactor: { add(secret: string): void; redact(text: string): string };
  /** Without secrets, and without what a terminal or a CI would take for a command. */
  readonly clean: (text: string) => string;
  /** What is clean already, as it stands. */
  readonly print: (text: string) => void;
  /** Of standard output, as it is now. */
  readonly look: () => TerminalStyle;
  /** Executable and file, for the sandbox's children. */
  readonly command: readonly string[];
  /** Standard output, where it is a terminal that a person looks at, and that can be drawn on. */
  readonly screen?: TerminalStream;
}

/** Where the demo is watched: a terminal with a live line, or a CI's log. */
export interface Screen {
  /** Whether every line is shown, or what tells a scenario's story. */
  readonly isVerbose: boolean;
  /** A scenario begins; a CI folds it. */
  heading(title: string): void;
  say(text: string): void;
  /** Under a word that says of what: what is too long for a line hangs beside that. */
  tell(label: string, text: string): void;
  /** A line of the program that runs; in short only one that tells the story. */
  relay(line: string): void;
  /** How things stand: on a terminal all the time, elsewhere when `key` changes, and not in short. */
  standing(text: string, key: string): void;
  close(): void;
}

const labelColumns = 14;

/** Of the programs of one scenario in short: with the commands and the result about a dozen. */
const mostRelayed = 9;

/** What was chosen, built, proven, switched, drained and destroyed; errors, and the commands that they print. */
const tellsStory =
  /^(?!\s*Next: ).*: hosted-runner |^\s*(?:[✖!] |(?:why|now) |Chose |Applied |Proved \w+ healthy|Switched|Waiting: \w+ drains, job|Drained |Destroyed |Accounted|Terminated )/;

export function createScreen(
  program: DemoedProgram,
  { plain = false, verbose = false }: { plain?: boolean | undefined; verbose?: boolean } = {},
): Screen {
  const { clock, screen: stream, environment, clean, look } = program;
  const sections = logSections(detectCi(environment));
  const live = stream === undefined || plain ? undefined : createLiveLine({ stream, clock });
  const sinceMs = clock.elapsed();
  let open: { name: string; title: string } | undefined;
  let count = 0;
  let relayed = 0;
  let shownKey = '';

  const atSeconds = () => Math.floor(clock.now() / 1000);
  const print = (text: string) => {
    live?.clear();
    program.print(text);
  };
  const say = (text: string) => print(behind('  ', clean(text), look()));
  const close = () => {
    if (open !== undefined) print(sections.close({ ...open, atSeconds: atSeconds() }));
    open = undefined;
  };
  return {
    isVerbose: verbose,
    heading(title) {
      close();
      relayed = 0;
      count += 1;
      open = { name: `demo_${count}`, title: emphasise(clean(title), look()) };
      print(`\n${sections.open({ ...open, atSeconds: atSeconds() })}`);
    },
    say,
    tell(label, text) {
      const margin = ' '.repeat(2 + labelColumns);
      const told = behind(margin, clean(text), look());
      print(`  ${label.padEnd(labelColumns)}${told.slice(margin.length)}`);
    },
    // Of the program's own colours nothing is left once its line is clean.
    relay(line) {
      if (!verbose && (relayed >= mostRelayed || !tellsStory.test(line))) return;
      relayed += 1;
      print(behind('  │ ', clean(line), look()));
    },
    standing(text, key) {
      if (live !== undefined) live.show(text, sinceMs);
      else if (verbose && key !== shownKey) say(text);
      shownKey = key;
    },
    close() {
      close();
      live?.clear();
    },
  };
}

/** Each line that it takes within the columns, as every command shows it, behind a margin. */
function behind(margin: string, text: string, { color, columns }: TerminalStyle): string {
  const room = columns === undefined ? undefined : columns - margin.length;
  return dress(text, { color, columns: room })
    .split('\n')
    .map((line) => `${margin}${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
