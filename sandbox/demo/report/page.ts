import { drawTimeline } from '../../../src/report/drawing/chart.ts';
import { type Content, element, join, type Markup } from '../../../src/report/drawing/elements.ts';
import { drawLegend } from '../../../src/report/drawing/legend.ts';
import { pageStyle } from '../../../src/report/drawing/style.ts';
import { type Story, summarize } from '../story.ts';

import { pictureOf } from './picture.ts';
import { deploymentTable, jobTable, windowTable } from './tables.ts';

/** Of what stands beside the chart. */
const style = `${pageStyle}
.verdict { font-size: 1.05rem; font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; }
`;

const title = 'hosted-runner demo: deployments under a stream of jobs';

/** One file that needs nothing from elsewhere, not even a script. */
export function renderReport(story: Story): string {
  const page = element('html', { lang: 'en' }, [
    element('head', {}, [
      element('meta', { charset: 'utf-8' }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', {
        'http-equiv': 'Content-Security-Policy',
        content: "default-src 'none'; style-src 'unsafe-inline'",
      }),
      element('title', {}, [title]),
      // Ours, without any text from elsewhere: escaped it would be no style any more.
      { markup: `<style>${style}</style>` },
    ]),
    element('body', {}, [element('main', {}, body(story))]),
  ]);
  return `<!DOCTYPE html>\n${join([page])}\n`;
}

function body(story: Story): Content[] {
  return [
    element('h1', {}, [title]),
    verdict(story),
    element(
      'ul',
      {},
      summarize(story).map((line) => element('li', {}, [line.replace(/ {2,}/, ': ')])),
    ),
    heading('Timeline'),
    drawLegend({ hasJobs: true }),
    element('div', { class: 'chart' }, [drawTimeline(pictureOf(story))]),
    heading('Deployments'),
    deploymentTable(story),
    heading('Jobs'),
    element('details', { open: '' }, [
      element('summary', {}, [`${story.jobs.length} jobs of customers`]),
      jobTable(story),
    ]),
    heading('What was shortened'),
    windowTable(story),
  ];
}

function verdict({ problems }: Story): Markup {
  if (problems.length === 0) {
    return element('p', { class: 'verdict' }, [
      '✔ No job was lost or interrupted, and nothing was left behind.',
    ]);
  }
  return element(
    'ul',
    { class: 'verdict bad' },
    problems.map((problem) => element('li', {}, [`✖ ${problem}`])),
  );
}

function heading(text: string): Markup {
  return element('h2', {}, [text]);
}
