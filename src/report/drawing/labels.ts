import { assignLanes } from './lanes.ts';

/** Width of a letter of the chart's font at its size, roughly; labels must not depend on a browser. */
const letterWidth = 6.3;
/** Of a text that may be anything, with a margin. */
const wideLetterWidth = 7;

export function fits(text: string, width: number): boolean {
  return text.length * letterWidth + 8 <= width;
}

const fewestLetters = 12;

/** As much of a text as there is room for; undefined where that would say nothing. */
export function cutToFit(text: string, width: number): string | undefined {
  if (fits(text, width)) return text;
  const letters = Math.floor((width - 8) / wideLetterWidth) - 1;
  return letters < fewestLetters ? undefined : `${text.slice(0, letters).trimEnd()}…`;
}

export interface Label {
  readonly x: number;
  readonly text: string;
}

/** `textX`: further left than what it tells of where it would stick out at the right. */
export type PlacedLabel<T extends Label> = T & { readonly textX: number; readonly y: number };

/** One below the other where they would stand in each other's way; and how high they stand together. */
export function placeLabels<T extends Label>(
  labels: readonly T[],
  { top, right }: { readonly top: number; readonly right: number },
): { readonly labels: readonly PlacedLabel<T>[]; readonly bottom: number } {
  const stretches = labels.map((label) => {
    const width = label.text.length * boldLetterWidth;
    const from = Math.max(0, Math.min(label.x, right - width));
    return { label, from, to: from + width };
  });
  const placed = assignLanes(stretches, 8).map(({ stretch, lane }) => ({
    ...stretch.label,
    textX: stretch.from,
    y: top + (lane + 1) * lineHeight,
  }));
  return { labels: placed, bottom: Math.max(top, ...placed.map(({ y }) => y)) };
}

const boldLetterWidth = 7.2;
const lineHeight = 15;

/** `1:05` since the beginning, `2:01:05` from an hour on. */
export function formatTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (count: number) => String(count % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
