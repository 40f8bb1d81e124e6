import type { ManagerProcess } from '../../sandbox/manager/child.ts';
import type { TerminalStream } from '../adapters/system/frame.ts';
import type { ClosableLog } from '../adapters/system/log.ts';
import type { TerminalStyle } from '../cli/terminal/terminal-style.ts';
import type { CommandSurroundings } from '../cli/validate-command.ts';
import type { Typed } from '../errors/fix-line.ts';
import type { RunReport } from '../report/run-report.ts';
import type { Surroundings } from './compose/compose.ts';
import type { Aside } from './open-log.ts';

/** What the process has and can do; made in process.ts, the one place where the process itself is touched. */
export interface Program extends Surroundings, CommandSurroundings {
  readonly operator: string;
  readonly typed: Typed;
  /** Executable and file of this program, for the sandbox's children. */
  readonly command: readonly string[];
  /** Standard output, where it is a terminal that a person looks at, and that can be drawn on. */
  readonly screen?: TerminalStream;
  /** Without secrets, and without what a terminal or a CI would take for a command. */
  readonly clean: (text: string) => string;
  /** What is clean already, as it stands: a CI takes its own commands from it. */
  readonly print: (text: string) => void;
  /** What people read, on standard output and standard error: coloured and wrapped as those are. */
  readonly show: (text: string) => void;
  readonly showError: (text: string) => void;
  /** Aborted once standard output arrives nowhere any more. */
  readonly outputLost: AbortSignal;
  /** Takes from whoever draws in place how lines of standard error are printed beside that. */
  readonly onPicture: (aside: Aside) => void;
  /** Of standard output, as it is now. */
  readonly look: () => TerminalStyle;
  /** What `show` would write, for who draws it in place. */
  readonly dressed: (text: string) => string;
  /** Only where a person sits at the terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** The parts of the process that a runner manager of the sandbox lives by. */
  readonly own: ManagerProcess & { readonly stderr: { write(text: string): boolean } };
  /** Hands a run's report to the CI, where the CI takes one directly. */
  readonly publish?: (report: RunReport) => Promise<void>;
  openLog(options: {
    eventFile?: string | undefined;
    quiet?: boolean;
    /** Events as lines of JSON in the place of text. */
    json?: boolean;
    /** Lines only, also at a terminal. */
    plain?: boolean;
    /** A line for each thing that is left out otherwise. */
    verbose?: boolean;
    /** At a terminal: the run as a picture below its lines. */
    picture?: boolean;
    /** In front of each line, where several stacks share the output. */
    prefix?: string;
  }): Promise<ClosableLog>;
}
