import { drawTimeline } from './chart.ts';
import { element, type Markup } from './elements.ts';
import { layOut, paper, type Sheet, scroll, tablet, telephone } from './layout.ts';
import type { Picture } from './picture.ts';

/**
 * Draws the charts of a page, and its style shows those that fit the reader's screen. A wide chart
 * is split into pieces of a paper's width, one below the other, with the usual text size. On a
 * smaller screen, the whole period fits the screen's width.
 */
export function drawCharts(picture: Picture): readonly Markup[] {
  const { left, right } = layOut(picture, scroll);
  const count = Math.ceil((right - left) / paper.widest);
  const chart = (of: Picture, on: string, sheet: Sheet, name?: string) =>
    element('div', { class: `chart ${on}` }, [
      drawTimeline(of, { sheet, ...(name === undefined ? {} : { name }) }),
    ]);
  const small = [
    chart(picture, 'on-telephone', telephone, 'overview'),
    chart(picture, 'on-tablet', tablet, 'whole'),
  ];
  if (count === 1) return [...small, chart(picture, 'on-wide', paper)];
  const pieces = Array.from({ length: count }, (_, at) => cutOut(picture, at, count));
  return [
    ...small,
    ...pieces.map((piece, at) => chart(piece, 'on-wide', paper, `piece-${at + 1}`)),
  ];
}

/**
 * Returns one of `count` pieces with the content of its period. Longer spans are cut at its ends.
 */
function cutOut(picture: Picture, at: number, count: number): Picture {
  const each = (picture.to - picture.from) / count;
  // Times are whole milliseconds. A fraction would end a span that continues in the next piece.
  const edge = (piece: number) => Math.round(picture.from + piece * each);
  const [from, to] = [edge(at), edge(at + 1)];
  const within = ({ at: moment }: { readonly at: number }) =>
    moment >= from && (moment < to || at === count - 1);
  const cut = <T extends { readonly from: number; readonly to: number }>(parts: readonly T[]) =>
    parts
      .filter((part) => part.from < to && part.to > from)
      .map((part) => ({ ...part, from: Math.max(part.from, from), to: Math.min(part.to, to) }));
  return {
    ...picture,
    origin: picture.from,
    from,
    to,
    spans: cut(picture.spans),
    switches: picture.switches.filter(within),
    // A scene keeps its number of the whole picture.
    scenes: cut(picture.scenes.map((scene, place) => ({ number: place + 1, ...scene }))),
    moments: picture.moments.filter(within),
    jobs: picture.jobs
      .filter(({ startedAt = to, endedAt = to }) => startedAt < to && endedAt > from)
      .map((job) => ({
        ...job,
        startedAt: Math.max(job.startedAt ?? from, from),
        endedAt: Math.min(job.endedAt ?? to, to),
      })),
    ...(picture.waits === undefined ? {} : { waits: cut(picture.waits) }),
  };
}
