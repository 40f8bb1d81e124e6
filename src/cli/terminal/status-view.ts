import { formatLock } from '../../domain/deployment/lock/lock-report.ts';
import { formatService } from '../../domain/health/service-answers.ts';
import { findFailedCandidate } from '../../operator/deployment-report.ts';
import { isAbsent, type ShardReport } from '../../operator/shard-report.ts';
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
    roleCell(shard, report),
    acceptanceCell(shard, report),
    ...registrationCells(shard, words),
    jobsCell(shard),
    hostsCell(shard, report),
  ]);
  const table = await renderTableWithin({ head, rows }, undefined);
  if (columns === undefined || widthOf(table) <= columns) return table;
  return rows.map((cells) => paragraph(head, cells)).join('\n');
}

function roleCell({ shard, role }: ShardReport, report: StackReport): string {
  return findFailedCandidate(report)?.shard === shard ? `${role}, failed` : role;
}

const absent = 'absent';

/** Formats whether the shard accepts jobs, or that it does not exist. */
function acceptanceCell(shard: ShardReport, report: StackReport): string {
  return isAbsent(shard, report)
    ? absent
    : formatService(shard.service.verdict, shard.registrations);
}

/** Renders a shard as a paragraph: `pink    active, …`, and below it the cells with content. */
function paragraph(head: readonly string[], cells: readonly string[]): string {
  const [shard = '', role = '', acceptsJobs = '', ...rest] = cells;
  const labelled = rest.flatMap((cell, index) =>
    cell === 'none' ? [] : [`    ${head[index + 3]}: ${cell.replaceAll('\n', ', ')}`],
  );
  const state = acceptsJobs === absent ? absent : `accepts jobs: ${acceptsJobs}`;
  return [`  ${shard}  ${role}, ${state}`, ...labelled].join('\n');
}

/** Fills the cell of a source that refused or did not respond; a line above has the reason. */
const unread = 'not known';

/** Formats the jobs. Without a list of runners, their jobs were not read either. */
function jobsCell({ registrations, jobs }: ShardReport): string {
  if (typeof registrations === 'string') return unread;
  return jobs.map(({ id, name, status }) => `${id} ${name} ${status}`).join('\n') || 'none';
}

function hostsCell({ hosts }: ShardReport, { unanswered }: StackReport): string {
  if (typeof hosts === 'string') return unanswered.includes(hosts) ? unread : hosts;
  return hosts.map(({ id, agent }) => `${id} ${agent}`).join('\n') || 'none';
}

function registrationCells(
  { registrations }: ShardReport,
  words: StackReport['registry'],
): readonly string[] {
  if (typeof registrations === 'string') return [unread, unread];
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

/** Formats the lines above the table: the verdict first, then the next command if one is due. */
export function headline(report: StackReport): string[] {
  const { runner, now, deployment, lock, hold, shards, finding } = report;
  return [
    `${runner}: ${formatVerdict(report)}`,
    ...(finding === null
      ? []
      : [`  Next: ${finding.next}`, `  Reason: ${finding.title} (${finding.seen}).`]),
    `  ${now}`,
    deployment === null
      ? '  No deployment is recorded.'
      : `  Deployment ${deployment.id} (${deployment.kind}) by ${deployment.by}: ${deployment.phase} since ${deployment.phaseAt}${formatFailure(report)}`,
    ...(lock === null ? [] : [`  Locked by ${formatLock(lock)}`]),
    ...(hold === null ? [] : [`  HELD by ${hold.who} since ${hold.since}: ${hold.why}`]),
    ...shards.flatMap(endingLines),
    ...shards.flatMap(({ shard, token_endings: ends }) =>
      ends.map((text) => `  TOKEN of ${shard}: ${text}`),
    ),
  ];
}

function formatFailure(report: StackReport): string {
  const failed = findFailedCandidate(report);
  if (failed === undefined) return '';
  const { shard, unhealthy_in_a_row: times } = failed;
  return `; the candidate ${shard} failed its healthcheck${times > 1 ? ` ${times} times` : ''}`;
}

function formatVerdict({ deployment_status: status, active_since, shards }: StackReport): string {
  if (status.kind !== 'known') {
    const open = shards.filter(({ service }) => service.verdict === 'proven');
    const accepting = open.map(({ shard }) => `; ${shard} accepts jobs`).join('');
    return status.kind === 'absent'
      ? `no shard is active${accepting}.`
      : `unknown: deployment_status is invalid${accepting}.`;
  }
  const since = active_since === null ? '' : ` since ${active_since}`;
  const verdicts = new Map(shards.map(({ shard, service }) => [shard, service.verdict]));
  const { active, inactive } = status;
  const beside = verdicts.get(inactive) === 'proven' ? ` ${inactive} accepts jobs.` : '';
  switch (verdicts.get(active)) {
    case 'proven':
      return `healthy. ${active} accepts jobs, active${since}.`;
    case 'closed':
    case 'disproven':
      return `UNHEALTHY. ${active} accepts no jobs, active${since}.${beside}`;
    default:
      return `not verified. ${active} is active${since}.${beside}`;
  }
}

function endingLines({ shard, endings }: ShardReport): string[] {
  if (typeof endings === 'string')
    return [`  The end of support for the versions of ${shard} is not known: ${endings}`];
  return endings.map((text) => `  VERSION of ${shard}: ${text}`);
}
