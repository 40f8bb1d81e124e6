import type { KeyName } from '../../domain/keys/key-table.ts';
import type { Place } from '../problem.ts';

/** A value as one source gives it, before it is checked. */
export interface Entry {
  readonly value: unknown;
  readonly place: Place;
  /** Where an item of a list is, so that its problem points there. */
  readonly placeOfItem?: (index: number) => Place;
  readonly rank: number;
}

/** From the weakest to the strongest; a stronger layer replaces a key as a whole. */
export const ranks = { builtIn: 0, defaults: 1, stack: 2, environment: 3, flag: 4 } as const;

export type Layer = ReadonlyMap<KeyName, Entry>;

export function mergeLayers(layers: readonly Layer[]): Layer {
  return new Map(layers.flatMap((layer) => [...layer]));
}
