import type { KeyName } from '../keys/table.ts';
import type { Place } from '../problem.ts';

/** A value as one source gives it, before it is checked. */
export interface Entry {
  readonly value: unknown;
  readonly place: Place;
  /** Where an item of a list is, so that its problem points there. */
  readonly placeOfItem?: (index: number) => Place;
  readonly rank: number;
  /** Why it is not to be believed, unless a stronger layer says more. */
  readonly doubt?: string;
}

/** From the weakest to the strongest; a stronger layer replaces a key as a whole. */
export const ranks = { builtIn: 0, ci: 1, defaults: 2, stack: 3, environment: 4, flag: 5 } as const;

export type Layer = ReadonlyMap<KeyName, Entry>;

export function mergeLayers(layers: readonly Layer[]): Layer {
  return new Map(layers.flatMap((layer) => [...layer]));
}
