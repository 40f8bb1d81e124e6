import { element, join, type Markup } from '../../src/report/drawing/elements.ts';
import { stateRules } from '../../src/report/drawing/shard-states.ts';
import { liveRows } from '../../src/report/live/live-rows.ts';
import { type LiveState, withEvent } from '../../src/report/live/live-state.ts';
import { findPhase } from '../../src/report/live/phase-colours.ts';
import type { RecordedEvent } from './recorded-run.ts';

const columns = 49;
const rowHeight = 19;
const letterWidth = 7.83;
const margin = 14;
/** Duration of each frame: a run of a minute is shown in a quarter of its time. */
const secondsPerFrame = 1.2;

/** Renders the terminal of a recorded run, frame by frame, without a script. */
export function renderLivePicture(run: readonly RecordedEvent[]): string {
  const frames = framesOf(run);
  const most = Math.max(...frames.map((rows) => rows.length));
  const [width, height] = [columns * letterWidth + 2 * margin, most * rowHeight + 2 * margin];
  const drawing = element(
    'svg',
    {
      viewBox: `0 0 ${Math.round(width)} ${height}`,
      width: Math.round(width),
      role: 'img',
      'aria-label':
        'hosted-runner deploy at a terminal: both shards, the evidence, the job that is waited for',
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      { markup: `<style>${styleOf(frames.length)}</style>` },
      element('rect', { class: 'screen', width: Math.round(width), height, rx: 8 }),
      ...frames.map(drawFrame),
    ],
  );
  return `${join([drawing])}\n`;
}

/** Returns one frame per change, in its last state: simultaneous changes share a frame. */
function framesOf(run: readonly RecordedEvent[]): readonly (readonly string[])[] {
  const frames: { readonly shape: string; rows: readonly string[] }[] = [];
  let state: LiveState | undefined;
  for (const { at, event } of run) {
    state = withEvent(state, event);
    // The first event may describe the previous deployment, which is skipped.
    const isBegun = frames.length > 0 || state?.deployment?.phase !== 'done';
    if (state?.deployment === undefined || !isBegun) continue;
    const rows = liveRows(state, { columns, rows: 8 }, { now: at, clean: (text) => text });
    const shape = rows.join('\n').replace(/\d+[hms ]*/g, '');
    const last = frames.at(-1);
    if (last?.shape === shape) last.rows = rows;
    else frames.push({ shape, rows });
  }
  return frames.map(({ rows }) => rows);
}

function drawFrame(rows: readonly string[], at: number): Markup {
  return element(
    'g',
    { class: `frame frame-${at}` },
    rows.flatMap((row, index) => drawRow(row, margin + (index + 0.75) * rowHeight)),
  );
}

/** Draws a row, with its phase on the colour of its state. */
function drawRow(row: string, y: number): readonly Markup[] {
  const text = (x: number, part: string, kind?: string) =>
    element('text', { x, y, class: kind, 'xml:space': 'preserve' }, [part]);
  const found = findPhase(row);
  if (found === undefined) return [text(margin, row)];
  const { from, phase, state } = found;
  const x = margin + from * letterWidth;
  const after = from + phase.length;
  return [
    element('rect', {
      class: state,
      x: x - 2,
      y: y - 14,
      width: phase.length * letterWidth + 4,
      height: rowHeight - 1,
      rx: 2,
    }),
    text(margin, row.slice(0, from)),
    text(x, phase, `on-${state}`),
    text(margin + after * letterWidth, row.slice(after)),
  ];
}

function styleOf(count: number): string {
  const share = (at: number) => `${((at / count) * 100).toFixed(2)}%`;
  const frames = Array.from({ length: count }, (_, at) => {
    const [from, to] = [share(at), share(at + 1)];
    const before = at === 0 ? '' : '0% { visibility: hidden; } ';
    const after = at === count - 1 ? '' : ` ${to} { visibility: hidden; }`;
    return `.frame-${at} { animation-name: show-${at}; } @keyframes show-${at} { ${before}${from} { visibility: visible; }${after} }`;
  });
  return `
.screen { fill: #16171b; } text { fill: #ececf1; font: 13px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
${stateRules}
.frame { visibility: hidden; animation: ${(count * secondsPerFrame).toFixed(1)}s step-end infinite; }
${frames.join('\n')}
@media (prefers-reduced-motion: reduce) { .frame { animation: none; } .frame:last-of-type { visibility: visible; } }
`;
}
