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

/** How the world came to be as it is, and what doctor makes of it. */
export interface ExaminedStack extends Broken {
  /** What doctor has to say first. */
  readonly diagnosis: string;
  /** `person`: exit code 3 with the facts, or something that no command can do. */
  readonly ends: 'healthy' | 'person';
  /** What a person does when doctor says so. */
  readonly byHand?: (world: World) => void;
  readonly surroundings?: (world: World) => Surroundings;
}

/** One guard is all that stands between a command and harm; its name is what would come of it without. */
export interface GuardedStack extends Broken {
  readonly guard: GuardName;
  /** Of the error that it refuses by. */
  readonly code: ErrorCode;
  readonly command: Command;
  readonly options?: Partial<Drive>;
  /** Kinds of effects that come before it, harmless by themselves. */
  readonly before?: readonly string[];
  /** What somebody does while the command runs. */
  meanwhile?(world: World): Intercept;
}
