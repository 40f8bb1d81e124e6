import type { ErrorCode } from '../../../src/domain/error-codes.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Surroundings } from '../../operator/doctor/examine.ts';

/** A world in which a command ends in an error, and where each command that it prints leads. */
export interface PrintingStack {
  readonly code: ErrorCode;
  /** What tells it from another world of the same error. */
  readonly where?: string;
  build(): Promise<World>;
  /** As it was typed. */
  readonly typed: string;
  /** What goes on while it was typed, and is over afterwards. */
  readonly surroundings?: (world: World) => Surroundings;
  /** What its line tells a person to do, or to wait for, before the command. */
  readonly before?: (world: World, command: string) => void | Promise<void>;
  /** What is still so when its commands are typed. */
  readonly still?: (world: World) => Surroundings;
  /** Each command that it prints, and the promised end: how it ended and the record's phase. */
  readonly leads: Readonly<Record<string, string>>;
}

export const on = (command: string) => `hosted-runner ${command} --runner linux`;
