import { formatCostInBrief } from '../../domain/deployment/cost.ts';
import { formatLock } from '../../domain/deployment/lock/lock-report.ts';
import { inShell } from '../../domain/text/shell-quoting.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StackReport } from '../../operator/status-report.ts';
import { type Content, element, type Markup } from '../drawing/elements.ts';
import { formatAge, formatDate, formatMoment } from '../time-text.ts';
import type { DashboardTrouble, StackSight } from './dashboard-facts.ts';
import { drawShard, type Fact, facts, link } from './shard-card.ts';

/** Draws one stack under its name. */
export function drawStack(sight: StackSight, now: number): Markup {
  const { runner, seen, trouble } = sight;
  return element('section', { id: sectionId(runner), 'aria-label': `stack ${runner}` }, [
    element('h2', {}, [runner]),
    ...(trouble === undefined ? [] : [drawTrouble(trouble), ...stale(sight, now)]),
    ...(seen === undefined ? [] : drawReport(seen.report, now)),
    ...(seen === undefined && trouble === undefined
      ? [element('p', {}, ['The first check is running.'])]
      : []),
  ]);
}

export function sectionId(runner: string): string {
  return `stack-${runner}`;
}

function drawTrouble({ code, what, why = [], now, fix }: DashboardTrouble): Markup {
  const page: readonly Fact[] =
    code === undefined
      ? []
      : [
          [
            'ref',
            [
              element('code', {}, [
                commandOf({ command: inShell`explain ${code}`, isAlone: true }, undefined),
              ]),
            ],
          ],
        ];
  return element('div', { class: 'trouble' }, [
    element('p', { class: 'bad' }, [`✖ ${what}`]),
    facts([
      ...lines('why', why),
      ...lines('now', now === undefined ? [] : [now]),
      ...lines('fix', fix),
      ...page,
    ]),
  ]);
}

function lines(name: string, texts: readonly string[]): readonly Fact[] {
  if (texts.length === 0) return [];
  return [[name, texts.map((text) => element('p', {}, [text]))]];
}

function stale({ seen }: StackSight, now: number): readonly Content[] {
  if (seen === undefined) return [];
  const { at } = seen;
  const text = `This data is from ${formatMoment(at)}, ${formatAge(at, now)} ago.`;
  return [element('p', { class: 'doubt' }, [text])];
}

function drawReport(report: StackReport, now: number): readonly Content[] {
  const { now: situation, hold, lock } = report;
  return [
    element('p', { class: 'now' }, [situation]),
    ...(hold === null
      ? []
      : [
          element('p', { class: 'doubt' }, [
            `HELD by ${hold.who} since ${formatDate(hold.since)}: ${hold.why}`,
          ]),
        ]),
    facts([...deploymentFacts(report, now), ['lock', [lock === null ? 'none' : formatLock(lock)]]]),
    element(
      'div',
      { class: 'shards' },
      report.shards.map((shard) => drawShard(shard, report, now)),
    ),
    element('h3', {}, ['Last deployments']),
    drawHistory(report),
  ];
}

function deploymentFacts({ deployment }: StackReport, now: number): readonly Fact[] {
  if (deployment === null) return [['deployment', ['none']]];
  const { id, kind, by, candidate, retiring, phase, phaseAt, pipelineUrl } = deployment;
  return [
    ['phase', [`${phase} since ${formatDate(phaseAt)}, ${formatAge(phaseAt, now)}`]],
    ['deployment', [link(id, pipelineUrl), `, ${kind} by ${by}`]],
    ['shards', [`candidate ${candidate}, retiring ${retiring ?? 'none'}`]],
  ];
}

const columns = ['finished', 'kind', 'became active', 'deployment', 'cost'];

function drawHistory({ history }: StackReport): Markup {
  if (history.length === 0) return element('p', {}, ['none']);
  const rows = history.map(({ finishedAt, kind, candidate, id, cost }) => [
    formatDate(finishedAt),
    kind,
    candidate,
    id,
    cost === undefined ? 'not known' : formatCostInBrief(cost),
  ]);
  return drawTable(columns, rows);
}

export function drawTable(head: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  const cells = (tag: 'th' | 'td', texts: readonly Content[]) =>
    element(
      'tr',
      {},
      texts.map((text, at) =>
        element(tag, tag === 'th' ? { scope: 'col' } : { 'data-column': head[at] }, [text]),
      ),
    );
  return element('div', { class: 'scroll', tabindex: 0 }, [
    element('table', {}, [
      element('thead', {}, [cells('th', head)]),
      element(
        'tbody',
        {},
        rows.map((row) => cells('td', row)),
      ),
    ]),
  ]);
}
