import { assignLanes } from './lanes.ts';

/** Width of a letter of the chart's font at its size, roughly; labels must not depend on a browser. */
const letterWidth = 6.3;

export function fits(text: string, width: number): boolean {
  return text.length * letterWidth + 8 <= width;
}

export interface Label {
  readonly x: number;
  readonly text: string;
}

export type PlacedLabel<T extends Label> = T & { readonly y: number };

/** One below the other where they would stand in each other's way; and how high they stand together. */
export function placeLabels<T extends Label>(
  labels: readonly T[],
  top: number,
): { readonly labels: readonly PlacedLabel<T>[]; readonly bottom: number } {
  const stretches = labels.map((label) => ({
    label,
    from: label.x,
    to: label.x + label.text.length * boldLetterWidth,
  }));
  const placed = assignLanes(stretches, 8).map(({ stretch, lane }) => ({
    ...stretch.label,
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
