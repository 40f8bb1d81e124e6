import type { ManagerProcess } from '../../sandbox/manager/child.ts';
import type { TerminalStream } from '../adapters/system/frame.ts';
import type { ClosableLog } from '../adapters/system/log.ts';
import type { TerminalStyle } from '../cli/terminal/terminal-style.ts';
import type { CommandSurroundings } from '../cli/validate-command.ts';
import type { Typed } from '../errors/fix-line.ts';
import type { RunReport } from '../report/run-report.ts';
import type { Surroundings } from './compose/compose.ts';
import type { Aside } from './open-log.ts';

/** Resources of the process, created in process.ts, the only file that uses the process itself. */
export interface Program extends Surroundings, CommandSurroundings {
  readonly operator: string;
  readonly typed: Typed;
  /** Executable and file of this program, for the sandbox's child processes. */
  readonly command: readonly string[];
  /** Standard output, if it is an interactive terminal that can show a picture. */
  readonly screen?: TerminalStream;
  /** Removes secrets, and text that a terminal or a CI would take for a command. */
  readonly clean: (text: string) => string;
  /** Prints clean text unchanged: a CI reads its own commands from it. */
  readonly print: (text: string) => void;
  /** Prints text for people on standard output or error, with that stream's colours and width. */
  readonly show: (text: string) => void;
  readonly showError: (text: string) => void;
  /** Aborted when the reader of standard output is gone. */
  readonly outputLost: AbortSignal;
  /** Sets how lines of standard error are printed beside a picture. */
  readonly onPicture: (aside: Aside) => void;
  /** Returns the present style of standard output. */
  readonly style: () => TerminalStyle;
  /** Returns the text that `show` would print, for a picture. */
  readonly dressed: (text: string) => string;
  /** Prompts the operator; absent without a terminal. */
  readonly prompt?: (question: string) => Promise<string>;
  /**
   * Prompts for a value on standard error; the end of the input cancels the command. Absent unless
   * standard input and standard error are terminals.
   */
  readonly promptForValue?: (question: string) => Promise<string>;
  /** Parts of the process that a runner manager of the sandbox uses. */
  readonly own: ManagerProcess & { readonly stderr: { write(text: string): boolean } };
  /** Passes a run's report to the CI directly, if the CI accepts one. */
  readonly publish?: (report: RunReport) => Promise<void>;
  openLog(options: {
    eventFile?: string | undefined;
    quiet?: boolean;
    /** Prints events as JSON lines instead of text. */
    json?: boolean;
    /** Prints lines only, even at a terminal. */
    plain?: boolean;
    /** Prints an additional line for each event that is otherwise left out. */
    verbose?: boolean;
    /** Shows the run as a picture below its lines, at a terminal. */
    picture?: boolean;
    /** Prefix of each line, if several stacks share the output. */
    prefix?: string;
  }): Promise<ClosableLog>;
}
