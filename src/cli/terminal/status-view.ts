import { formatLock } from '../../domain/deployment/lock/lock-report.ts';
import { formatService } from '../../domain/health/service-answers.ts';
import type { ShardReport } from '../../operator/shard-report.ts';
import type { StackReport } from '../../operator/status-report.ts';
import { renderTableWithin, widthOf } from './terminal-table.ts';

/** Renders a table for each stack, below its current activity. */
export async function renderReports(
  reports: readonly StackReport[],
  { columns }: { columns?: number | undefined } = {},
): Promise<string> {
  const texts: string[] = [];
  for (const report of reports) {
    const shown = await renderShards(report, columns);
    texts.push(`${headline(report).join('\n')}\n${shown}\n`);
  }
  return texts.join('\n');
}

/** Renders the shards as a table if it fits, and otherwise as paragraphs. */
async function renderShards(report: StackReport, columns: number | undefined): Promise<string> {
  const words = report.registry;
  const head = [
    'shard',
    'role',
    'accepts jobs',
    words.registration,
    words.managers,
    'jobs',
    'hosts',
  ];
  const rows = report.shards.map((shard) => [
    shard.shard,
    shard.role,
    formatService(shard.service.verdict, shard.registrations),
    ...registrationCells(shard, words),
    jobsCell(shard),
    typeof shard.hosts === 'string'
      ? shard.hosts
      : shard.hosts.map(({ id, agent }) => `${id} ${agent}`).join('\n') || 'none',
  ]);
  const table = await renderTableWithin({ head, rows }, undefined);
  if (columns === undefined || widthOf(table) <= columns) return table;
  return rows.map((cells) => paragraph(head, cells)).join('\n');
}

/** Renders a shard as a paragraph: `pink    active, …`, and below it the cells with content. */
function paragraph(head: readonly string[], cells: readonly string[]): string {
  const [shard = '', role = '', acceptsJobs = '', ...rest] = cells;
  const labelled = rest.flatMap((cell, index) =>
    cell === 'none' ? [] : [`    ${head[index + 3]}: ${cell.replaceAll('\n', ', ')}`],
  );
  return [`  ${shard}  ${role}, accepts jobs: ${acceptsJobs}`, ...labelled].join('\n');
}

/** Formats the jobs. Without a list of runners, their jobs were not read either. */
function jobsCell({ registrations, jobs }: ShardReport): string {
  if (typeof registrations === 'string') return 'not known';
  return jobs.map(({ id, name, status }) => `${id} ${name} ${status}`).join('\n') || 'none';
}

function registrationCells(
  { registrations }: ShardReport,
  words: StackReport['registry'],
): readonly string[] {
  if (typeof registrations === 'string') return [`not known: ${registrations}`, 'not known'];
  return [
    registrations
      .map(
        ({ id, paused, tags }) => `${id}${paused ? ` ${words.paused}` : ''} [${tags.join(', ')}]`,
      )
      .join('\n') || 'none',
    registrations
      .flatMap(({ managers }) => managers.map((one) => `${one.id} (${one.version})`))
      .join('\n') || 'none',
  ];
}

export function headline({ runner, now, deployment, lock, hold, shards }: StackReport): string[] {
  return [
    `${runner}: ${now}`,
    deployment === null
      ? '  No deployment is recorded.'
      : `  Deployment ${deployment.id} (${deployment.kind}) by ${deployment.by}: ${deployment.phase} since ${deployment.phaseAt}`,
    ...(lock === null ? [] : [`  Locked by ${formatLock(lock)}`]),
    ...(hold === null ? [] : [`  HELD by ${hold.who} since ${hold.since}: ${hold.why}`]),
    ...shards.flatMap(endingLines),
    ...shards.flatMap(({ shard, token_endings: ends }) =>
      ends.map((text) => `  TOKEN of ${shard}: ${text}`),
    ),
  ];
}

function endingLines({ shard, endings }: ShardReport): string[] {
  if (typeof endings === 'string')
    return [`  The end of support for the versions of ${shard} is not known: ${endings}`];
  return endings.map((text) => `  VERSION of ${shard}: ${text}`);
}
