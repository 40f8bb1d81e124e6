import type { CommandSurroundings } from './cli/validate.ts';
import type { Surroundings } from './compose.ts';
import type { ManagerProcess } from './sandbox/manager/child.ts';
import type { ClosableLog } from './system/log.ts';

/** What main.ts hands over: the one place where the process itself is touched. */
export interface Program extends Surroundings, CommandSurroundings {
  readonly person: string;
  /** Executable and file of this program, for the sandbox's children. */
  readonly command: readonly string[];
  readonly isTerminal: boolean;
  /** The parts of the process that a runner manager of the sandbox lives by. */
  readonly own: ManagerProcess;
  openLog(options: { evidenceFile?: string | undefined; quiet?: boolean }): Promise<ClosableLog>;
}
