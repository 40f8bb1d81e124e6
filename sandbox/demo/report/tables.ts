import { type Content, element, type Markup } from '../../../src/report/drawing/elements.ts';
import { formatTime } from '../../../src/report/drawing/labels.ts';
import { roundSeconds } from '../count/count.ts';
import { outcomeWords } from '../count/result.ts';
import type { Story } from '../story.ts';

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

export function deploymentTable({ deployments }: Story): Markup {
  return table(
    'A recovery goes on with the deployment that it recovers; a way back that is typed is one of its own. Overlap: both shards took jobs.',
    [
      { title: 'Scene', cell: ({ scene }) => scene },
      { title: 'Deployment', cell: ({ id }) => id },
      { title: 'Candidate', cell: ({ candidate }) => candidate },
      { title: 'Outcome', cell: ({ outcome }) => outcomeWords[outcome] },
      { title: 'Seconds', cell: ({ seconds }) => seconds },
      { title: 'Overlap (s)', cell: ({ overlapSeconds }) => overlapSeconds },
    ],
    deployments,
  );
}

export function jobTable({ jobs, from }: Story): Markup {
  const time = (at: number | undefined) => (at === undefined ? 'never' : formatTime(at - from));
  return table(
    'By the marks that each job wrote itself, and by GitLab’s list of jobs.',
    [
      { title: 'Job', cell: ({ number }) => number },
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Stream', cell: ({ stream }) => stream },
      { title: 'Shard', cell: ({ shard }) => shard ?? 'none' },
      { title: 'Submitted', cell: ({ submittedAt }) => time(submittedAt) },
      { title: 'Started', cell: ({ startedAt }) => time(startedAt) },
      { title: 'Ended', cell: ({ endedAt }) => time(endedAt) },
      { title: 'Waited (s)', cell: ({ waitMs }) => roundSeconds(waitMs) },
      {
        title: 'Verdict',
        cell: ({ verdict, reason, tries = 1 }) =>
          (reason ? `${verdict}: ${reason}` : verdict) + (tries > 1 ? `, in try ${tries}` : ''),
      },
    ],
    jobs,
  );
}

export function windowTable({ windows }: Story): Markup {
  return table(
    'The demo’s seconds are not production’s.',
    [
      { title: 'What', cell: ({ what }) => what },
      { title: 'Here', cell: ({ here }) => here },
      { title: 'In production', cell: ({ inProduction }) => inProduction },
    ],
    windows,
  );
}
