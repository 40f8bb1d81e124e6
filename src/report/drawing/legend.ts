import { element, type Markup } from './elements.ts';
import type { DrawnState, Picture } from './picture.ts';
import { shardStates } from './shard-states.ts';

/** Draws the legend of the colours that some pictures contain. */
export function drawLegend(...pictures: readonly Picture[]): Markup {
  const shown = new Set(pictures.flatMap(({ spans }) => spans.map(({ state }) => state)));
  const kinds = new Set(pictures.flatMap(({ jobs }) => jobs.map(({ kind }) => kind)));
  const states = Object.entries(shardStates)
    .filter(([state]) => shown.has(state as DrawnState))
    .map(([state, { label, meaning }]) => entry(`bar ${state}`, `${label}: ${meaning}`));
  const jobs = kinds.has('short') || kinds.has('long') ? [entry('job short', 'a job')] : [];
  const harmed = kinds.has('harmed')
    ? [entry('job harmed', 'a job that was lost or interrupted')]
    : [];
  const hasWaits = pictures.some(({ waits = [] }) => waits.length > 0);
  const waits = hasWaits ? [entry('wait', 'a wait')] : [];
  const end = element('li', {}, ['✕ destroyed']);
  return element('ul', { class: 'legend' }, [...states, end, ...jobs, ...harmed, ...waits]);
}

function entry(kind: string, text: string): Markup {
  return element('li', {}, [drawSwatch(kind), ` ${text}`]);
}

/** Draws a sample of a chart's part, for the legend. */
export function drawSwatch(kind: string): Markup {
  const isJob = kind.startsWith('job');
  return element(
    'svg',
    { class: 'swatch', viewBox: '0 0 18 14', width: 18, height: 14, 'aria-hidden': 'true' },
    [
      element('rect', {
        class: kind,
        x: 0,
        y: isJob ? 5 : 1,
        width: 18,
        height: isJob ? 5 : 13,
        rx: 2,
      }),
    ],
  );
}
