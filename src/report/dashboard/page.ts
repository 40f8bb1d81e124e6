import { createHash } from 'node:crypto';
import { counted } from '../../domain/text/count-text.ts';
import { type Content, element, join, type Markup } from '../drawing/elements.ts';
import { pageStyle } from '../drawing/style.ts';
import { formatAge, formatMoment } from '../time-text.ts';
import type { DashboardFacts, StackSight } from './dashboard-facts.ts';
import { drawStack, drawTable, sectionId } from './stack-section.ts';

const style = `${pageStyle}
h3 { font-size: 1rem; margin: 1rem 0 .4rem; } dl { margin: 0; display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .1rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; } dd p { margin: 0; } dd ul { margin: 0; padding-left: 1.1rem; }
section { border-top: 1px solid var(--line); margin-top: 2rem; } section > h2 { margin-top: 1rem; }
.shards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; margin-top: 1rem; }
.shard-card, .trouble { border: 1px solid var(--line); border-radius: 6px; padding: .2rem 1rem .8rem; min-width: 0; }
.trouble { border-color: var(--harm); margin: .5rem 0; } .doubt { color: var(--doubt); } .soft, .absent { color: var(--soft); } .shard-card > p { margin: 0 0 .5rem; } .absent { margin: .2rem 0; }
.verdict { border-left: 6px solid var(--good); background: var(--band); border-radius: 4px; padding: .5rem 1rem; margin: .6rem 0 1rem; color: var(--ink); } .verdict p { margin: .2rem 0; }
.verdict > p:first-child { font-size: 1.15rem; color: var(--good); } .verdict.bad { border-color: var(--harm); } .verdict.bad > p:first-child { color: var(--harm); }
.verdict.doubt, .verdict.due { border-color: var(--doubt); } .verdict.doubt > p:first-child, .verdict.due > p:first-child { color: var(--doubt); }
.state { color: var(--soft); font-weight: 400; white-space: nowrap; } .swatch { overflow: visible; }
@media screen and (min-width: 900px) { th, [data-column=finished], [data-column=deployment] { white-space: nowrap; } }
@media (max-width: 480px) { body { padding: 0 .8rem; margin-top: 1rem; } dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: .4rem; } }
@media print { .shard-card, .trouble { break-inside: avoid; } }
`;

/**
 * Script of the page, the only one that its policy allows. It replaces only changed parts, to keep
 * the reader's selection and scroll position.
 */
const liveScript = `
const show = (text) => {
  const line = document.getElementById('live');
  if (line.textContent !== text) line.textContent = text;
};
const refresh = async () => {
  try {
    const answer = await fetch('/stacks', { cache: 'no-store', redirect: 'error' });
    if (!answer.ok) throw new Error(answer.status);
    const found = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const fresh of found.querySelectorAll('main > [id]')) {
      const shown = document.getElementById(fresh.id);
      if (shown !== null && !shown.isEqualNode(fresh)) shown.replaceWith(document.importNode(fresh, true));
    }
    show('Live: this page refreshes continuously.');
  } catch {
    show('No longer live: the dashboard command has ended or cannot be reached.');
  }
  setTimeout(refresh, 2000);
};
refresh();
`;

/** Way in which the page reaches a reader. */
export type Delivery =
  /**
   * The server delivers the page. It requests its stacks repeatedly; without JavaScript, it
   * reloads.
   */
  | { readonly kind: 'served'; readonly reloadSeconds: number }
  /** The page is a file and sends no request. */
  | { readonly kind: 'file' };

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const httpPolicy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(liveScript)}; connect-src 'self'; base-uri 'none'; form-action 'none'`;

/** Header of the delivered page. A page itself cannot restrict its frame ancestors. */
export const contentPolicy = `${httpPolicy}; frame-ancestors 'none'`;
const filePolicy = `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;

const title = 'hosted-runner dashboard';

/** Renders one page without external resources. All text in it is escaped. */
export function renderDashboard(facts: DashboardFacts, delivery: Delivery): string {
  const isOverHttp = delivery.kind === 'served';
  const page = element('html', { lang: 'en' }, [
    element('head', {}, [
      element('meta', { charset: 'utf-8' }),
      element('meta', {
        'http-equiv': 'Content-Security-Policy',
        content: isOverHttp ? httpPolicy : filePolicy,
      }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      ...(isOverHttp ? [reload(delivery.reloadSeconds)] : []),
      element('title', {}, [title]),
      // Style and script are constants without external text. Escaping would break them.
      { markup: `<style>${style}</style>` },
    ]),
    element('body', {}, [
      element('h1', {}, [title]),
      element('p', { id: 'live', role: 'status' }, [
        isOverHttp
          ? 'Not live: this page shows the state at the time it was loaded.'
          : 'A snapshot: this page does not refresh.',
      ]),
      element('main', {}, drawMain(facts)),
      ...(isOverHttp ? [{ markup: `<script>${liveScript}</script>` }] : []),
    ]),
  ]);
  return `<!DOCTYPE html>\n${join([page])}\n`;
}

/** Renders the main part, which the page requests repeatedly. */
export function renderMain(facts: DashboardFacts): string {
  return join([element('main', {}, drawMain(facts))]);
}

function reload(seconds: number): Markup {
  const meta = element('meta', { 'http-equiv': 'refresh', content: String(seconds) });
  return element('noscript', {}, [meta]);
}

function drawMain({ stacks, now }: DashboardFacts): readonly Content[] {
  return [
    element('div', { id: 'overview' }, [
      element('p', {}, [`${counted(stacks.length, 'stack')}, as of ${formatMoment(now)}.`]),
      // The section of a single stack contains all of this.
      ...(stacks.length < 2
        ? []
        : [
            drawTable(
              ['stack', 'accepts jobs', 'phase', 'jobs', 'lock', 'checked'],
              stacks.map((sight) => overviewRow(sight, now)),
            ),
          ]),
    ]),
    ...stacks.map((sight) => drawStack(sight, now)),
  ];
}

function overviewRow({ runner, seen, trouble }: StackSight, now: number): readonly Content[] {
  const name = element('a', { href: `#${sectionId(runner)}` }, [runner]);
  const failed = trouble === undefined ? [] : [bad(`✖ ${trouble.code ?? 'no response'}`)];
  if (seen === undefined)
    return [name, ...Array<string>(4).fill('not known'), failed[0] ?? 'not yet'];
  const { shards, deployment, lock, hold } = seen.report;
  const accepting = shards.filter(({ service }) => service.verdict === 'proven');
  const isKnown = shards.every(({ registrations }) => typeof registrations !== 'string');
  const jobs = shards.reduce((sum, shard) => sum + shard.jobs.length, 0);
  const locked = [...(lock === null ? [] : ['locked']), ...(hold === null ? [] : ['held'])];
  return [
    name,
    accepting.map(({ shard }) => shard).join(' and ') || bad('✖ none is verified'),
    deployment === null ? '-' : `${deployment.phase}, ${formatAge(deployment.phaseAt, now)}`,
    isKnown ? String(jobs) : 'not known',
    locked.join(', ') || '-',
    failed[0] ?? formatMoment(seen.at),
  ];
}

function bad(text: string): Markup {
  return element('span', { class: 'bad' }, [text]);
}
