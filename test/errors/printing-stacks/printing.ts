import type { ErrorCode } from '../../../src/domain/error-codes.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Surroundings } from '../../operator/doctor/examine.ts';

/** World in which a command ends in an error, with the result of each printed command. */
export interface PrintingStack {
  readonly code: ErrorCode;
  /** Difference from other worlds with the same error. */
  readonly where?: string;
  build(): Promise<World>;
  /** Command line that ends with the error. */
  readonly typed: string;
  /** Circumstances of that command, which end afterwards. */
  readonly surroundings?: (world: World) => Surroundings;
  /** Operator's action or wait before a printed command, as the error line advises. */
  readonly before?: (world: World, command: string) => void | Promise<void>;
  /** Circumstances that last while the printed commands run. */
  readonly still?: (world: World) => Surroundings;
  /** Printed commands with their expected end: result and phase. */
  readonly leads: Readonly<Record<string, string>>;
}

export const on = (command: string) => `hosted-runner ${command} --runner linux`;
