import type { KeyName } from '../../domain/keys/key-table.ts';
import type { Place } from '../problem.ts';

/** Value of one source before its check. */
export interface Entry {
  readonly value: unknown;
  readonly place: Place;
  /** Returns the place of a list item, for its problem. */
  readonly placeOfItem?: (index: number) => Place;
  readonly rank: number;
}

/** Ranks from weakest to strongest; a stronger layer replaces a whole key. */
export const ranks = { builtIn: 0, defaults: 1, stack: 2, environment: 3, flag: 4 } as const;

export type Layer = ReadonlyMap<KeyName, Entry>;

export function mergeLayers(layers: readonly Layer[]): Layer {
  return new Map(layers.flatMap((layer) => [...layer]));
}
