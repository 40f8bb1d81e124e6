import type { World } from '../../fakes/world.ts';
import type { Surroundings } from '../physician.ts';

/** One row of the table: how the world came to be as it is. */
export interface BrokenWorld {
  readonly name: string;
  build(): Promise<World>;
  /** What doctor has to say first. */
  readonly diagnosis: string;
  /** `person`: exit code 3 with the facts, or something that no command can do. */
  readonly ends: 'healthy' | 'person';
  /** What a person does when doctor says so. */
  readonly byHand?: (world: World) => void;
  readonly surroundings?: (world: World) => Surroundings;
}
