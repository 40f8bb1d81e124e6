import { element, type Markup } from './elements.ts';
import { stateLabels, stateMeanings } from './state-labels.ts';

/** Draws the legend of the colours. Jobs and waits are included only if the chart has some. */
export function drawLegend({
  hasJobs,
  hasWaits = false,
}: {
  readonly hasJobs: boolean;
  readonly hasWaits?: boolean;
}): Markup {
  const states = Object.entries(stateLabels).map(([state, words]) =>
    entry(`bar ${state}`, `${words}: ${stateMeanings[state as keyof typeof stateMeanings]}`),
  );
  const jobs = [
    entry('job short', 'a short job'),
    entry('job long', 'a long job'),
    entry('job harmed', 'a job that was lost or interrupted'),
  ];
  const waits = hasWaits ? [entry('wait', 'a wait')] : [];
  const end = element('li', {}, ['✕ destroyed']);
  return element('ul', { class: 'legend' }, [...states, end, ...(hasJobs ? jobs : []), ...waits]);
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
