import { type Story, summarize } from '../story.ts';
import { type Content, element, join, type Markup } from './markup.ts';
import { deploymentTable, jobTable, windowTable } from './tables.ts';
import { drawTimeline } from './timeline.ts';
import { stateMeanings, stateWords } from './words.ts';

/**
 * Okabe and Ito's colours: told apart with any colour vision, and the same on light and dark. What
 * stands on them says it in words as well.
 */
const style = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1b1f; --soft: #55555f; --line: #c9c9d1;
  --band: #f3f3f7; --short: #4b5a6b; --long: #1f7a68; --switch: #1b1b1f; --harm: #b00020; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171b; --ink: #ececf1; --soft: #adadb8;
  --line: #44454f; --band: #1f2026; --short: #9aaabd; --long: #5fc9b0; --switch: #ececf1; --harm: #ff8a80; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 96rem; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.verdict { font-size: 1.05rem; font-weight: 600; } .bad { color: var(--harm); }
.chart { overflow-x: auto; } svg { display: block; min-width: 62rem; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.scene { fill: none; } .scene-0 { fill: var(--band); }
svg .scene-title { font-weight: 600; } svg .shard { font-weight: 600; font-size: 14px; text-anchor: end; }
svg .side, svg .tick, svg .gone { fill: var(--soft); font-size: 11px; } svg .side { text-anchor: end; }
svg .tick { text-anchor: middle; } .axis { stroke: var(--line); }
svg .bar-text { text-anchor: middle; fill: #111111; } svg .on-active { fill: #ffffff; }
.building { fill: #b5b5bd; } .quarantine { fill: #e69f00; } .serving { fill: #56b4e9; }
.active { fill: #0072b2; } .draining { fill: #cc79a7; } .destroying { fill: #e07a3f; }
.short { fill: var(--short); } .long { fill: var(--long); } .harmed { fill: var(--harm); }
.switch { stroke: var(--switch); stroke-dasharray: 4 3; } .moment { stroke: var(--harm); stroke-dasharray: 2 3; }
svg .moment-text { fill: var(--harm); } .cross { stroke: var(--soft); stroke-width: 2; fill: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; padding: 0; margin: .8rem 0; }
.legend svg { display: inline-block; min-width: 0; width: 18px; vertical-align: -2px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; } caption { text-align: left; color: var(--soft); }
th, td { border-bottom: 1px solid var(--line); padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; }
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
