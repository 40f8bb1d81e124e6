export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Each stretch gets the first lane that is free when it begins, so that none covers another. */
export function assignLanes<T extends Stretch>(
  stretches: readonly T[],
  apart: number,
): readonly { readonly stretch: T; readonly lane: number }[] {
  const busyUntil: number[] = [];
  return stretches
    .toSorted((one, other) => one.from - other.from)
    .map((stretch) => {
      const free = busyUntil.findIndex((until) => until + apart <= stretch.from);
      const lane = free < 0 ? busyUntil.length : free;
      busyUntil[lane] = stretch.to;
      return { stretch, lane };
    });
}
