import { drawCharts } from '../../../src/report/drawing/charts.ts';
import { type Content, element, join, type Markup } from '../../../src/report/drawing/elements.ts';
import { drawLegend } from '../../../src/report/drawing/legend.ts';
import type { DrawnJob, Picture } from '../../../src/report/drawing/picture.ts';
import { pageStyle } from '../../../src/report/drawing/style.ts';
import type { CheckedJob } from '../count/count.ts';
import { allIsWell, jobsOf, problemsOf, type Run, type Story, summarize } from '../story.ts';
import { deploymentTable, jobTable, windowTable } from './tables.ts';

/** Style of the text beside the chart. */
const style = `${pageStyle}
.verdict { font-size: 1.05rem; font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; } dt { color: var(--soft); } dd { margin: 0; } dd ul { list-style: none; margin: 0; padding: 0; }
@media (max-width: 480px) { dl { grid-template-columns: minmax(0, 1fr); } }
summary { cursor: pointer; }
`;

const title = 'hosted-runner demo: deployments under a stream of jobs';

/** Renders one file without external resources and without a script. */
export function renderReport(run: Run): string {
  const page = element('html', { lang: 'en' }, [
    element('head', {}, [
      element('meta', { charset: 'utf-8' }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', {
        'http-equiv': 'Content-Security-Policy',
        content: "default-src 'none'; style-src 'unsafe-inline'",
      }),
      element('title', {}, [title]),
      // The style is a constant without external text. Escaping would break it.
      { markup: `<style>${style}</style>` },
    ]),
    element('body', {}, [element('main', {}, body(run))]),
  ]);
  return `<!DOCTYPE html>\n${join([page])}\n`;
}

function body(run: Run): Content[] {
  return [
    element('h1', {}, [title]),
    verdict(problemsOf(run)),
    element('dl', {}, summarize(run).flatMap(summaryEntry)),
    heading('Timeline'),
    ...timelines(run),
    drawLegend(...run.stories.map(pictureOf)),
    heading('Deployments'),
    deploymentTable(run),
    heading('Jobs'),
    ...describeJobs(run),
    heading('Shortened times'),
    fold('Different from production', run.windows, windowTable(run)),
  ];
}

/** Renders a label and its facts, one a line. */
function summaryEntry({ of, text }: { of: string; text: string }): readonly Markup[] {
  const facts = text.split('; ').map((fact) => element('li', {}, [fact]));
  return [element('dt', {}, [of]), element('dd', {}, [element('ul', {}, facts)])];
}

function timelines({ stories }: Run): Markup[] {
  return stories.flatMap((story, at) => [
    ...(stories.length === 1 ? [] : [element('h3', {}, [`Stack ${at + 1}`])]),
    ...drawCharts(pictureOf(story)),
  ]);
}

/** Describes the jobs. Harmed jobs are always visible, outside a folded list. */
function describeJobs(run: Run): Markup[] {
  const jobs = jobsOf(run);
  const harmed = jobs.filter(({ verdict }) => verdict !== 'finished');
  return [
    ...(harmed.length === 0 ? [] : [jobTable(run, ({ verdict }) => verdict !== 'finished')]),
    fold(`Customer jobs${ofControl(jobs)}`, jobs, jobTable(run)),
  ];
}

/** Describes the control jobs, which the summary counts separately. */
function ofControl(jobs: readonly CheckedJob[]): string {
  const control = jobs.filter(({ stream }) => stream === 'control').length;
  return control === 0 ? '' : ` (${control} in the control run)`;
}

/** Number of rows above which a table is folded. */
const longestUnfolded = 12;

function fold(what: string, rows: readonly unknown[], content: Markup): Markup {
  const state = rows.length > longestUnfolded ? {} : { open: '' };
  return element('details', state, [element('summary', {}, [`${what}: ${rows.length}`]), content]);
}

function verdict(problems: readonly string[]): Markup {
  if (problems.length === 0) {
    return element('p', { class: 'verdict' }, [allIsWell]);
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

/** Returns the drawn part of a story. */
export function pictureOf(story: Story): Picture {
  // A deployment that only prepares a scenario has no number and is not drawn.
  const scenarios = story.scenarios.flatMap(({ number, ...scenario }) =>
    number === undefined ? [] : [{ ...scenario, number }],
  );
  return { ...story, scenes: scenarios, jobs: story.jobs.map(drawn) };
}

function drawn(job: CheckedJob): DrawnJob {
  const { number, kind, verdict, waitMs, shard, startedAt, endedAt } = job;
  return {
    shard,
    startedAt,
    endedAt,
    kind: verdict === 'finished' ? kind : 'harmed',
    text: `job ${number}, ${kind}, ${verdict}, waited ${Math.round(waitMs)} ms`,
  };
}
