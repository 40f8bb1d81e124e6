import { formatJobCounts } from '../../../domain/deployment/cost.ts';
import { capital } from '../../../domain/text/capital.ts';
import { formatBake } from '../../../report/bake-text.ts';
import { stateLabels } from '../../../report/drawing/shard-states.ts';
import { pictureOfRun } from '../../../report/picture-of-run.ts';
import type { ReportedEvidence, RunReport } from '../../../report/run-report.ts';
import { formatDate, formatInstant } from '../../../report/time-text.ts';
import { type TimelineRow, timelineRows } from '../../../report/timeline-rows.ts';

/**
 * Limit of bars for a shard's jobs, for instants and for waits: a chart in a summary cannot scroll.
 */
const mostBars = 20;

const tags: Readonly<Record<TimelineRow['kind'], string>> = {
  before: '',
  done: 'done, ',
  failed: 'crit, ',
  unfinished: 'active, ',
};

/** Renders the timeline as a Mermaid chart, which GitHub shows in a job's summary. */
function renderGantt(report: RunReport): string {
  const rows = timelineRows(report);
  const lines = [
    'gantt',
    '  dateFormat x',
    '  axisFormat %H:%M:%S',
    `  section ${plain(report.stage)}`,
    ...rows.map(bar),
    ...lanes(report),
    ...happenings(report),
    ...(report.phases.length === 0 ? [] : ['  section phases']),
    ...report.phases.map(
      ({ phase, at }, index) => `  ${plain(phase)} :milestone, p${index}, ${at}, 1ms`,
    ),
  ];
  return lines.join('\n');
}

/** Renders both shards like the timeline of the report page. */
function lanes(report: RunReport): string[] {
  const picture = pictureOfRun(report);
  if (picture === undefined) return [];
  return picture.shards.flatMap((shard, lane) => {
    const spans = picture.spans.filter((span) => span.shard === shard && span.to > span.from);
    const lines = spans.map(({ state, from, to }, index) => {
      const tag = state === 'active' ? 'active, ' : '';
      return `  ${stateLabels[state]} :${tag}l${lane}x${index}, ${from}, ${to}`;
    });
    const jobs = picture.jobs.filter((job) => job.shard === shard).slice(0, mostBars);
    const bars = jobs.map(({ text, kind, startedAt, endedAt }, index) =>
      ganttBar(text, `${kind === 'harmed' ? 'crit, ' : ''}j${lane}x${index}`, startedAt, endedAt),
    );
    return lines.length === 0 ? [] : [`  section ${plain(shard)}`, ...lines, ...bars];
  });
}

/** Renders the switch, kills, the error and the longest waits. */
function happenings(report: RunReport): string[] {
  const picture = pictureOfRun(report);
  if (picture === undefined) return [];
  const { switches, moments, waits = [] } = picture;
  const instants = [
    ...switches.map(({ at, to }) => ({ at, text: `${to} made active`, tag: '' })),
    ...moments.map(({ at, text }) => ({ at, text, tag: 'crit, ' })),
  ].slice(0, mostBars);
  const longest = waits.toSorted((one, two) => two.to - two.from - (one.to - one.from));
  const shown = longest.slice(0, mostBars).toSorted((one, two) => one.from - two.from);
  return [
    ...(instants.length === 0 ? [] : ['  section switch and kills']),
    ...instants.map(
      ({ at, text, tag }, index) => `  ${plain(text)} :${tag}milestone, e${index}, ${at}, 1ms`,
    ),
    ...(shown.length === 0 ? [] : ['  section waits']),
    ...shown.map(({ text, from, to }, index) => ganttBar(text, `w${index}`, from, to)),
  ];
}

function ganttBar(text: string, id: string, from: number | undefined, to: number | undefined) {
  const begins = from ?? 0;
  return `  ${plain(text)} :${id}, ${begins}, ${Math.max(to ?? begins, begins + 1)}`;
}

function bar(row: TimelineRow, index: number): string {
  // Mermaid draws a bar without width over the next bar.
  const endedAt = Math.max(row.endedAt, row.startedAt + 1);
  return `  ${plain(row.name)} :${tags[row.kind]}s${index}, ${row.startedAt}, ${endedAt}`;
}

/** Removes characters that Mermaid interprets: colons, semicolons, hashes and percent signs. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_. /-]/g, ' ').slice(0, 60);
}

// GitHub drops a summary of more than 1 MiB entirely.
const mostBytes = 500_000;
const mostRows = 50;

/** Renders the summary of a job in GitHub's Markdown. */
export function renderSummary(report: RunReport): string {
  const { stage, runner, outcome, evidence, links } = report;
  const text = [
    `## ${marks[outcome]} ${inline(`${stage} ${runner}`)}: ${outcome}`,
    ...report.summary.map((line) => `${inline(line)}.`),
    ...(report.bake === undefined ? [] : [`${inline(capital(formatBake(report.bake)))}.`]),
    ...errorBlock(report),
    ...deploymentTable(report),
    ...costTable(report),
    ...evidence.flatMap(evidenceTable),
    '### Timeline',
    fenced('mermaid', renderGantt(report)),
    ...links.map(({ label, url }) => `- [${inline(label)}](<${url}>)`),
  ].join('\n\n');
  return Buffer.byteLength(text) <= mostBytes
    ? `${text}\n`
    : `## ${marks[outcome]} ${inline(`${stage} ${runner}`)}: ${outcome}\n\nThe summary was too long; the log has the full text.\n`;
}

const marks: Readonly<Record<RunReport['outcome'], string>> = {
  done: '✔',
  nothing: '✔',
  failed: '✖',
  refused: '✖',
  stopped: '✖',
  unfinished: '…',
  cancelled: '✖',
};

function errorBlock({ error }: RunReport): string[] {
  return error === undefined ? [] : [fenced('text', error.text)];
}

function deploymentTable({ deployment, activeShard }: RunReport): string[] {
  if (deployment === undefined) return [];
  const { id, candidate, retiring, phase, phaseAt } = deployment;
  return [
    table(
      ['deployment', 'candidate', 'retiring', 'active', 'phase'],
      [
        [
          id,
          candidate,
          retiring ?? 'nothing',
          activeShard ?? 'not seen',
          `${phase} since ${formatDate(phaseAt)}`,
        ],
      ],
    ),
  ];
}

/** Renders links as text, because their text comes from GitLab and a reader copies it. */
function costTable({ deployment }: RunReport): string[] {
  const { cost } = deployment ?? {};
  if (cost === undefined) return [];
  const { longestWaitSeconds, twoShardsSeconds, broken } = cost;
  const jobs = formatJobCounts(cost);
  const seconds = (count: number | 'unknown') => (count === 'unknown' ? count : `${count} s`);
  return [
    '### Cost',
    table(
      ['jobs finished in the drain', 'lost or interrupted', 'longest wait', 'two shards'],
      [
        [
          jobs.finished,
          jobs.broken,
          longestWaitSeconds === 0 ? 'no job waited' : seconds(longestWaitSeconds),
          seconds(twoShardsSeconds),
        ],
      ],
    ),
    ...broken.map(
      ({ id, why, url }) =>
        `- ${inline(`job ${id}: ${why}`)}${url === undefined || !/^https?:\/\/[^\s<>]+$/.test(url) ? '' : ` [${inline(url)}](<${url}>)`}`,
    ),
  ];
}

function evidenceTable({ shard, verdict, evidence }: ReportedEvidence): string[] {
  const more = evidence.length - mostRows;
  return [
    `### Evidence of ${inline(shard)}: ${verdict}`,
    table(
      ['evidence', 'state', 'observation', 'source', 'time'],
      evidence
        .slice(0, mostRows)
        .map(({ kind, state, detail, source, at }) => [
          kind,
          state,
          detail,
          source,
          formatInstant(at),
        ]),
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inline).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')).replaceAll('\\-', '-'), ...rows.map(line)].join(
    '\n',
  );
}

/** Escapes text of other systems: it cannot add markup, links, mentions or images. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#+!|~$-]/g, '\\$&')
    .replace(/@/g, '@\u2060')
    .replace(/:\/\//g, ':\u2060//');
}

/** Returns a code block that the text cannot close. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
