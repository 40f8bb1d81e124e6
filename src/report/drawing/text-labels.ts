/** Approximate width of a letter in the chart's font. Labels must not depend on a browser. */
const letterWidth = 6.3;
/** Width of a letter in arbitrary text, with a margin. */
const wideLetterWidth = 7;

export function fits(text: string, width: number): boolean {
  return text.length * letterWidth + 8 <= width;
}

const fewestLetters = 12;

/** Cuts a text to a width. Undefined if too few letters would remain. */
export function cutToFit(text: string, width: number): string | undefined {
  if (fits(text, width)) return text;
  const letters = Math.floor((width - 8) / wideLetterWidth) - 1;
  return letters < fewestLetters ? undefined : `${text.slice(0, letters).replace(/[ ,;:]+$/, '')}…`;
}

/** Width of a letter in a shard's name, which is bold and larger. */
export const shardLetterWidth = 8.4;

function cutToLetters(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Shortens a name in its middle, because both its ends distinguish it from others. */
export function cutInMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.max(1, Math.floor((most - 1) / 3));
  return `${text.slice(0, Math.max(0, most - 1 - end))}…${text.slice(-end)}`;
}

export interface Label {
  readonly x: number;
  readonly text: string;
}

/**
 * Label with its position. `textX` is left of the instant if the text would exceed the right
 * margin.
 */
export type PlacedLabel<T extends Label> = T & { readonly textX: number; readonly y: number };

/**
 * Places labels in the order of their instants, stacked if they would overlap. Also returns the
 * bottom of the stack.
 */
export function placeLabels<T extends Label>(
  labels: readonly T[],
  { top, right }: { readonly top: number; readonly right: number },
): { readonly labels: readonly PlacedLabel<T>[]; readonly bottom: number } {
  const lanes: { readonly from: number; readonly to: number }[][] = [];
  const written = labels.filter(({ text }) => text !== '').sort((one, other) => one.x - other.x);
  const placed = written.map((given) => {
    const label = { ...given, text: cutToLetters(given.text, lettersWithin(right)) };
    const width = widthOf(label);
    const textX = Math.max(0, Math.min(label.x, right - width));
    const own = { from: textX, to: textX + width };
    const free = lanes.findIndex((lane) =>
      lane.every(({ from, to }) => own.to + apart <= from || to + apart <= own.from),
    );
    const lane = free < 0 ? lanes.push([]) - 1 : free;
    lanes[lane]?.push(own);
    return { ...label, textX, y: top + (lane + 1) * lineHeight };
  });
  const bottom = top + lanes.length * lineHeight;
  const bare = labels.filter(({ text }) => text === '');
  if (bare.length === 0) return { labels: placed, bottom };
  // Labels without text begin below the others.
  const below = bare.map((label) => ({ ...label, textX: label.x, y: bottom + strokeHeight }));
  return { labels: [...placed, ...below], bottom: bottom + strokeHeight };
}

const apart = 8;
const strokeHeight = 12;

/**
 * Limits stacks of overlapping labels. A longer group keeps only its first text, with the count of
 * the others. The others keep only their position.
 */
export function collectLabels<T extends Label>(
  labels: readonly T[],
  { right, most }: { readonly right: number; readonly most: number },
): readonly T[] {
  const groups: T[][] = [];
  for (const label of [...labels].sort((one, other) => one.x - other.x)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last === undefined || label.x > last.x + widthOf(last))
      groups.push([label]);
    else group.push(label);
  }
  return groups.flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || group.length <= most) return group;
    const rest = `, and ${others.length} more`;
    const text = cutToLetters(first.text, lettersWithin(right) - rest.length) + rest;
    return [{ ...first, text }, ...others.map((label) => ({ ...label, text: '' }))];
  });
}

function lettersWithin(width: number): number {
  return Math.floor(width / boldLetterWidth);
}

function widthOf({ text }: Label): number {
  return text.length * boldLetterWidth;
}

/** Width of a bold letter in a wide font such as DejaVu Sans: a narrower estimate cuts labels. */
const boldLetterWidth = 8.2;
const lineHeight = 15;

/** Formats a time since the beginning as `1:05`, or `2:01:05` from one hour on. */
export function formatTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (count: number) => String(count % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
