import { type Content, element, type Markup } from '../../../src/report/drawing/elements.ts';
import { formatTime } from '../../../src/report/drawing/text-labels.ts';
import type { CheckedJob } from '../count/count.ts';
import { roundSeconds } from '../count/count.ts';
import { outcomeWords } from '../count/outcome.ts';
import type { Run } from '../story.ts';

interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string | number;
}

function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[]): Markup {
  const cell = (name: string, value: string | number, at: number): Markup =>
    element(
      name,
      {
        class: isNumber[at] ? 'number' : undefined,
        ...(name === 'th' ? { scope: 'col' } : { 'data-column': columns[at]?.title }),
      },
      [value],
    );
  const isNumber = columns.map(({ cell: read }) =>
    rows.some((row) => typeof read(row) === 'number'),
  );
  const line = (name: string, values: readonly (string | number)[]) =>
    element(
      'tr',
      {},
      values.map((value, at): Content => cell(name, value, at)),
    );
  return element('div', { class: 'scroll' }, [
    element('table', {}, [
      element('caption', {}, [caption]),
      element('thead', {}, [
        line(
          'th',
          columns.map(({ title }) => title),
        ),
      ]),
      element(
        'tbody',
        {},
        rows.map((row) =>
          line(
            'td',
            columns.map((column) => column.cell(row)),
          ),
        ),
      ),
    ]),
  ]);
}

export function deploymentTable({ stories }: Run): Markup {
  return table(
    'A recovery continues the deployment that it recovers. A rollback by an operator is a separate deployment. Overlap: both shards accepted jobs.',
    [
      { title: 'Scenario', cell: ({ scenario }) => scenario },
      { title: 'Deployment', cell: ({ id }) => id },
      { title: 'Candidate', cell: ({ candidate }) => candidate },
      { title: 'Outcome', cell: ({ outcome }) => outcomeWords[outcome] },
      { title: 'Seconds', cell: ({ seconds }) => seconds },
      { title: 'Overlap (s)', cell: ({ overlapSeconds }) => overlapSeconds },
    ],
    stories.flatMap(({ deployments }) => deployments),
  );
}

/** Renders the jobs of each stack. Times count from the beginning of the stack. */
export function jobTable(
  { stories }: Run,
  isShown: (job: CheckedJob) => boolean = () => true,
): Markup {
  const time = (at: number | undefined, { from }: { from: number }) =>
    at === undefined ? 'never' : formatTime(at - from);
  const rows = stories.flatMap(({ jobs, from }, at) =>
    jobs.filter(isShown).map((job) => ({ ...job, from, stack: at + 1 })),
  );
  return table(
    'Sources: the marks that each job wrote, and GitLab’s list of jobs.',
    [
      ...(stories.length === 1
        ? []
        : [{ title: 'Stack', cell: ({ stack }: { stack: number }) => stack }]),
      { title: 'Job', cell: ({ number }) => number },
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Stream', cell: ({ stream }) => stream },
      { title: 'Shard', cell: ({ shard }) => shard ?? 'none' },
      { title: 'Submitted', cell: (job) => time(job.submittedAt, job) },
      { title: 'Started', cell: (job) => time(job.startedAt, job) },
      { title: 'Ended', cell: (job) => time(job.endedAt, job) },
      { title: 'Waited (s)', cell: ({ waitMs }) => roundSeconds(waitMs) },
      {
        title: 'Verdict',
        cell: ({ verdict, reason, tries = 1 }) =>
          (reason ? `${verdict}: ${reason}` : verdict) + (tries > 1 ? `, in try ${tries}` : ''),
      },
    ],
    rows,
  );
}

export function windowTable({ windows }: Run): Markup {
  return table(
    'Times in the demo differ from production.',
    [
      { title: 'What', cell: ({ what }) => what },
      { title: 'Here', cell: ({ here }) => here },
      { title: 'In production', cell: ({ inProduction }) => inProduction },
    ],
    windows,
  );
}
