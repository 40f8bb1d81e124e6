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

/** `1:05` since the beginning. */
export function formatTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
