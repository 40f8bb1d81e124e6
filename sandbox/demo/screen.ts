import { detectCi } from '../../src/adapters/ci/detect-run.ts';
import { logSections } from '../../src/adapters/ci/sections.ts';
import type { TerminalStream } from '../../src/adapters/system/frame.ts';
import { createLiveLine } from '../../src/adapters/system/live-line.ts';
import { dress, emphasise, type TerminalStyle } from '../../src/cli/terminal/terminal-style.ts';
import type { CommandSurroundings } from '../../src/cli/validate-command.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** Parts of the demonstrated program that the demo uses. The demo is one of its commands. */
export interface DemoedProgram extends Omit<CommandSurroundings, 'write'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redactor: { add(secret: string): void; redact(text: string): string };
  /** Removes secrets, and text that a terminal or CI would take for a command. */
  readonly clean: (text: string) => string;
  /** Prints sanitized text unchanged. */
  readonly print: (text: string) => void;
  /** Returns the current style of standard output. */
  readonly style: () => TerminalStyle;
  /** Executable and file, for the sandbox's child processes. */
  readonly command: readonly string[];
  /** Standard output, if it is an interactive terminal that can be redrawn. */
  readonly screen?: TerminalStream;
}

/** Output of the demo: a terminal with a live line, or a CI's log. */
export interface Screen {
  /** Whether every line is shown, or only those of a scenario's story. */
  readonly isVerbose: boolean;
  /** Begins a scenario, which a CI can fold. */
  heading(title: string): void;
  print(text: string): void;
  /** Prints text beside a label, with a hanging indent. */
  printLabelled(label: string, text: string): void;
  /** Prints a line of the running program. Without `--verbose`, only lines of the story. */
  relay(line: string): void;
  /**
   * Shows the current state: always on a terminal, otherwise at a change of `key` with `--verbose`.
   */
  standing(text: string, key: string): void;
  close(): void;
}

const labelColumns = 14;

/**
 * Program lines per scenario without `--verbose`. With commands and result, about a dozen are
 * printed.
 */
const mostRelayed = 9;

/**
 * Lines of the story: choice, build, proof, switch, drain, removal, errors and printed commands.
 */
const storyLine =
  /^(?!\s*Next: ).*: hosted-runner |^\s*(?:[✖!] |(?:why|now) |Chose |Applied |Found \w+ healthy|Switched|Waiting for \w+ to drain: job|Drained |Destroyed |Summary: |Terminated )/;

export function createScreen(
  program: DemoedProgram,
  { plain = false, verbose = false }: { plain?: boolean | undefined; verbose?: boolean } = {},
): Screen {
  const { clock, screen: stream, environment, clean, style } = program;
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
  const report = (text: string) => print(behind('  ', clean(text), style()));
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
      open = { name: `demo_${count}`, title: emphasise(clean(title), style()) };
      print(`\n${sections.open({ ...open, atSeconds: atSeconds() })}`);
    },
    print: report,
    printLabelled(label, text) {
      const margin = ' '.repeat(2 + labelColumns);
      const wrapped = behind(margin, clean(text), style());
      print(`  ${label.padEnd(labelColumns)}${wrapped.slice(margin.length)}`);
    },
    // Sanitizing removes the program's own colours.
    relay(line) {
      if (!verbose && (relayed >= mostRelayed || !storyLine.test(line))) return;
      relayed += 1;
      print(behind('  │ ', clean(line), style()));
    },
    standing(text, key) {
      if (live !== undefined) live.show(text, sinceMs);
      else if (verbose && key !== shownKey) report(text);
      shownKey = key;
    },
    close() {
      close();
      live?.clear();
    },
  };
}

/** Wraps a text to the columns, like every command, with a margin before each line. */
function behind(margin: string, text: string, { color, columns }: TerminalStyle): string {
  const width = columns === undefined ? undefined : columns - margin.length;
  return dress(text, { color, columns: width })
    .split('\n')
    .map((line) => `${margin}${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
