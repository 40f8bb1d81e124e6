import type { GuardName } from '../../src/domain/deployment/guards/guard-catalogue.ts';
import type { ErrorCode } from '../../src/domain/error-codes.ts';
import type { Intercept } from '../fakes/faults/fault-wrapper.ts';
import type { World } from '../fakes/world/world.ts';
import type { Surroundings } from '../operator/doctor/examine.ts';
import type { Command, Drive } from '../stages/drive.ts';

interface Broken {
  readonly name: string;
  build(): Promise<World>;
}

/** Broken stack with the expected diagnosis of doctor. */
export interface ExaminedStack extends Broken {
  /** First diagnosis of doctor. */
  readonly diagnosis: string;
  /** `person`: exit code 3 with the facts, or a step that no command can do. */
  readonly ends: 'healthy' | 'person';
  /** Operator's action after the diagnosis. */
  readonly byHand?: (world: World) => void;
  readonly surroundings?: (world: World) => Surroundings;
}

/** Stack in which only one guard prevents a harmful command. Its name describes the harm. */
export interface GuardedStack extends Broken {
  readonly guard: GuardName;
  /** Code of the error by which the guard refuses. */
  readonly code: ErrorCode;
  readonly command: Command;
  readonly options?: Partial<Drive>;
  /** Kinds of earlier effects, which are harmless. */
  readonly before?: readonly string[];
  /** Actions of others while the command runs. */
  meanwhile?(world: World): Intercept;
}
