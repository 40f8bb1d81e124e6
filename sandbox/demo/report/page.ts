import { type Story, summarize } from '../story.ts';
import { type Content, element, join, type Markup } from './markup.ts';
import { style } from './style.ts';
import { deploymentTable, jobTable, windowTable } from './tables.ts';
import { drawTimeline } from './timeline.ts';
import { stateMeanings, stateWords } from './words.ts';

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
    legend(),
    element('div', { class: 'chart' }, [drawTimeline(story)]),
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

function legend(): Markup {
  const states = Object.entries(stateWords).map(([state, words]) =>
    entry(`bar ${state}`, `${words}: ${stateMeanings[state as keyof typeof stateMeanings]}`),
  );
  const jobs = [
    entry('job short', 'a short job'),
    entry('job long', 'a long job'),
    entry('job harmed', 'a job that was lost or interrupted'),
  ];
  const end = element('li', {}, ['✕ destroyed']);
  return element('ul', { class: 'legend' }, [...states, end, ...jobs]);
}

function entry(kind: string, text: string): Markup {
  const isJob = kind.startsWith('job');
  return element('li', {}, [
    element('svg', { viewBox: '0 0 18 14', width: 18, 'aria-hidden': 'true' }, [
      element('rect', {
        class: kind,
        x: 0,
        y: isJob ? 5 : 1,
        width: 18,
        height: isJob ? 5 : 13,
        rx: 2,
      }),
    ]),
    ` ${text}`,
  ]);
}
