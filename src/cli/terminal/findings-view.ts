import type { Finding } from '../../domain/doctor/find-faults.ts';
import { lockOf } from '../../domain/doctor/stack-facts.ts';
import { formatDiagnosis } from '../../domain/health/diagnose.ts';
import { capital } from '../../domain/text/capital.ts';
import { commandOf, type Typed } from '../../errors/fix-line.ts';
import type { Examined } from '../../operator/doctor/doctor.ts';
import { type DoctorRow, logsOf, rowsOf } from '../../operator/doctor/report.ts';
import { renderTableWithin } from './terminal-table.ts';

/** Renders doctor's findings for one stack: `now:`, sources, contradictions, causes, commands. */
export async function renderFindings(
  examined: Examined,
  { logs, typed, columns }: { logs: boolean; typed: Typed; columns?: number | undefined },
): Promise<string> {
  const { view, now, contradictions, findings, causes } = examined;
  const lines = [
    `${view.facts.settings.runnerName}: ${now}`,
    ...deploymentLine(examined),
    ...ownerLines(examined),
    await renderTable(examined, columns),
    ...contradictions.map(
      ({ about, says }) =>
        `CONTRADICTION ${about}: ${says.map(({ who, what }) => `${who} reports ${what}`).join('; ')}`,
    ),
    ...findings.flatMap((one) => renderFinding(one, typed)),
    ...causes.map((cause) => `  cause  ${formatDiagnosis(cause)}`),
    ...(logs ? renderLogs(examined) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function deploymentLine({ view }: Examined): string[] {
  const { deployment } = view.record ?? {};
  if (deployment === undefined) return [`  ${describeMissingRecord(view)}`];
  const { id, kind, by, phase, phaseAt } = deployment;
  return [`  Deployment ${id} (${kind}) by ${by}: ${phase} since ${phaseAt}`];
}

/** Formats the deployment's owner, by the lock and by the CI's state of the recorded pipeline. */
function ownerLines({ view }: Examined): string[] {
  const { owner } = view.facts;
  const lock = lockOf(view.facts);
  const held =
    lock.kind === 'unknown' ? `not known: ${lock.trouble.reason}` : (lock.value?.reason ?? 'none');
  if (owner === undefined) return [`  Lock: ${held}`];
  const ownerText =
    owner.kind === 'unknown' ? `not known: ${owner.trouble.reason}` : owner.value.reason;
  return [`  Lock: ${held}`, `  By the CI: ${ownerText}`];
}

function describeMissingRecord({ facts }: Examined['view']): string {
  if (facts.record.kind === 'unknown') return 'The record could not be read.';
  return facts.record.value === undefined
    ? 'No deployment is recorded.'
    : 'This version cannot read the deployment record.';
}

async function renderTable(examined: Examined, columns: number | undefined): Promise<string> {
  const [one, two] = rowsOf(examined);
  if (one === undefined || two === undefined) return '';
  const { words } = examined.view.facts;
  const sources: Readonly<Record<string, Exclude<keyof DoctorRow, 'shard'>>> = {
    deployment_status: 'status',
    deployment_record: 'record',
    [`${words.registry} ${words.registration}`]: 'registration',
    [`${words.registry} ${words.managers}`]: 'managers',
    [`${words.registry} jobs`]: 'jobs',
    infrastructure: 'infrastructure',
    'EC2 instances': 'instances',
    'host (Run Command)': 'hosts',
    'tags, in no state': 'leftovers',
    token: 'token',
  };
  const rows = Object.entries(sources).map(([name, key]) => [name, one[key], two[key]]);
  return renderTableWithin({ head: ['', one.shard, two.shard], rows }, columns);
}

function renderFinding(found: Finding, typed: Typed): string[] {
  const { code, title, seen, because, commands, byHand, repair } = found;
  return [
    `${capital(title)}. (${code})`,
    `  seen   ${seen}`,
    `  why    ${because}`,
    ...(repair === undefined ? [] : [`  plan   ${repair.plan}`]),
    ...(byHand === undefined ? [] : [`  do     ${byHand}`]),
    ...commands.map((command) => `  type   ${commandOf(command, typed)}`),
  ];
}

function renderLogs(examined: Examined): string[] {
  return logsOf(examined).flatMap(({ shard, host, lines }) => [
    `Last log lines of ${host} (${shard}):`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
