import { formatCostInBrief } from '../../domain/deployment/cost.ts';
import { formatLock } from '../../domain/deployment/lock/lock-report.ts';
import { inShell } from '../../domain/text/shell-quoting.ts';
import { commandOf } from '../../errors/fix-line.ts';
import { findFailedCandidate, isReportedRolledBack } from '../../operator/deployment-report.ts';
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

/** Formats the times in a sentence like the other times of the page. */
function withDates(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatDate);
}

function stale({ seen }: StackSight, now: number): readonly Content[] {
  if (seen === undefined) return [];
  const { at } = seen;
  const text = `This data is from ${formatMoment(at)}, ${formatAge(at, now)} ago.`;
  return [element('p', { class: 'doubt' }, [text])];
}

function drawReport(report: StackReport, now: number): readonly Content[] {
  const { hold, lock } = report;
  return [
    drawVerdict(report),
    ...(hold === null
      ? []
      : [
          element('p', { class: 'doubt' }, [
            `HELD by ${hold.who} since ${formatDate(hold.since)}: ${hold.why}`,
          ]),
        ]),
    facts([
      ...deploymentFacts(report, now),
      ...(lock === null ? [] : [['lock', [formatLock(lock)]] as const]),
    ]),
    element(
      'div',
      { class: 'shards' },
      report.shards.map((shard) => drawShard(shard, report, now)),
    ),
    element('h3', {}, ['Last deployments']),
    drawHistory(report),
  ];
}

const verdictMarks = { good: '✔', due: '!', bad: '✖', doubt: '?' } as const;

/** Draws the verdict in the weight of a heading, with the next command if one is due. */
function drawVerdict(report: StackReport): Markup {
  const { finding } = report;
  const verdict = verdictOf(report);
  return element('div', { class: `verdict ${verdict}` }, [
    element('p', {}, [element('strong', {}, [`${verdictMarks[verdict]} ${report.now}`])]),
    ...(finding === null
      ? []
      : [
          element('p', {}, [`${finding.title} (${withDates(finding.seen)}).`]),
          element('p', {}, ['Next: ', element('code', {}, [finding.next])]),
        ]),
  ]);
}

/** Decides by the shards that accept jobs now. `due`: one does, but a command is due. */
function verdictOf({ shards, finding }: StackReport): keyof typeof verdictMarks {
  const verdicts = shards.map(({ service }) => service.verdict);
  if (verdicts.includes('proven')) return finding === null ? 'good' : 'due';
  return verdicts.includes('unknown') ? 'doubt' : 'bad';
}

function deploymentFacts({ deployment }: StackReport, now: number): readonly Fact[] {
  if (deployment === null) return [];
  const { id, kind, by, candidate, phase, phaseAt, pipelineUrl } = deployment;
  return [
    ['phase', [`${phase} since ${formatDate(phaseAt)}, ${formatAge(phaseAt, now)}`]],
    ['deployment', [link(id, pipelineUrl), `, ${kind} of ${candidate} by ${by}`]],
  ];
}

const columns = ['finished', 'result', 'kind', 'candidate', 'deployment', 'cost'];

function drawHistory(report: StackReport): Markup {
  const finished = report.history.map((past) => [
    formatDate(past.finishedAt),
    isReportedRolledBack(past) ? element('span', { class: 'bad' }, ['rolled back']) : 'finished',
    past.kind,
    past.candidate,
    past.id,
    past.cost === undefined ? 'not known' : formatCostInBrief(past.cost),
  ]);
  const rows = [...unfinishedRow(report), ...finished];
  return rows.length === 0
    ? element('p', {}, ['No deployment is recorded.'])
    : drawTable(columns, rows);
}

/** Describes the recorded deployment while the history does not contain it. */
function unfinishedRow({ deployment, shards, lock }: StackReport): readonly (readonly Content[])[] {
  if (deployment === null || deployment.phase === 'done') return [];
  const { id, kind, candidate, phase } = deployment;
  const isFailed =
    phase === 'retreating' || findFailedCandidate({ deployment, shards }) !== undefined;
  const result = isFailed
    ? element('span', { class: 'bad' }, ['failed'])
    : lock === null
      ? 'unfinished'
      : 'running';
  return [['not finished', result, kind, candidate, id, 'not known']];
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
