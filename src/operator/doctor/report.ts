import {
  answerOf,
  type HostReadingOf,
  lockOf,
  type Read,
} from '../../domain/doctor/stack-facts.ts';
import type { TaggedResource } from '../../domain/plan/aws-resource.ts';
import { counted } from '../../domain/text/count-text.ts';
import { commandOf, type Typed } from '../../errors/fix-line.ts';
import { reportDeployment } from '../deployment-report.ts';
import type { Examined } from './doctor.ts';

/** One shard with a text for each source; a failed source states its reason. */
export interface DoctorRow {
  readonly shard: string;
  readonly status: string;
  readonly record: string;
  readonly registration: string;
  readonly managers: string;
  readonly jobs: string;
  readonly infrastructure: string;
  readonly instances: string;
  readonly hosts: string;
  readonly leftovers: string;
  readonly token: string;
}

/** Lists both shards as plain data for the table and for JSON. */
export function rowsOf({ view }: Examined): readonly DoctorRow[] {
  const { facts, record, active } = view;
  return facts.shards.map((one) => {
    const { deployment } = record ?? {};
    const role = deployment?.candidate === one.shard ? 'candidate' : 'retiring';
    const unhealthy = record?.shards[one.shard]?.unhealthyInARow ?? 0;
    return {
      shard: one.shard,
      status:
        active === undefined
          ? formatStatusCell(facts.status)
          : active === one.shard
            ? 'active'
            : 'inactive',
      record:
        deployment === undefined
          ? formatRecord(facts.record)
          : `${deployment.phase === 'done' ? '' : `${role}, `}${deployment.phase}${unhealthy > 0 ? `, unhealthy ${unhealthy}x` : ''}`,
      registration: text(one.registrations, (list) =>
        list.map(
          ({ id, paused, tags }) =>
            `${id}${paused ? ` ${facts.words.paused}` : ''} [${tags.join(', ')}]`,
        ),
      ),
      managers: text(one.registrations, (list) =>
        list.flatMap(({ managers }) =>
          (answerOf(managers) ?? []).map(({ id, version }) => `${id} (${version})`),
        ),
      ),
      jobs: text(one.registrations, (list) =>
        list.flatMap(({ jobs }) =>
          (answerOf(jobs) ?? []).map(({ id, name, status }) => `${id} ${name} ${status}`),
        ),
      ),
      infrastructure: text(one.infrastructure, (word) => [
        word === 'unknown' ? 'not known: its driver does not report it' : word,
      ]),
      instances: text(one.instances, (list) => list.map(({ id, state }) => `${id} ${state}`)),
      hosts: text(one.hosts, (list) => list.map(formatHosts)),
      leftovers:
        one.leftovers === undefined
          ? 'not checked'
          : text(one.leftovers, (list) => list.map(formatLeftovers)),
      token: one.token === undefined ? 'not checked' : text(one.token, (word) => [word]),
    };
  });
}

function formatLeftovers({ kind, id }: TaggedResource): string {
  return `${kind.replaceAll('_', ' ')} ${id}`;
}

function formatHosts({ id, agent, process, jobs }: HostReadingOf): string {
  const count = jobs === 'unknown' ? '' : `, ${counted(jobs.length, 'job')}`;
  return `${id} ${agent}, ${process}${count}`;
}

function formatRecord(read: Read<unknown>): string {
  if (read.kind === 'unknown') return 'not known';
  return read.value === undefined ? 'none' : 'not readable';
}

function formatStatusCell(read: Read<{ readonly kind: string }>): string {
  const status = answerOf(read);
  return status === undefined ? 'not known' : status.kind;
}

function text<T>(read: Read<T>, show: (value: T) => readonly string[]): string {
  if (read.kind === 'unknown') return `not known: ${read.trouble.reason}`;
  return show(read.value).join('\n') || 'none';
}

export interface LogReport {
  readonly shard: string;
  readonly host: string;
  readonly lines: readonly string[];
}

/** Lists the managers' last log lines as the hosts returned them. The printer redacts them. */
export function logsOf({ view }: Examined): readonly LogReport[] {
  return view.facts.shards.flatMap(({ shard, hosts }) =>
    (answerOf(hosts) ?? []).map(({ id, log, process }) => ({
      shard,
      host: id,
      lines: log.length > 0 ? log : [`(no line: ${process})`],
    })),
  );
}

/** Returns the data that `--json` prints. */
export function toJson(examined: Examined, { logs, typed }: { logs: boolean; typed: Typed }) {
  const { view, now, contradictions, findings, causes } = examined;
  const { facts, record } = view;
  return {
    runner_name: facts.settings.runnerName,
    now,
    deployment: reportDeployment(record),
    hold: answerOf(facts.hold) ?? null,
    lock: answerOf(lockOf(facts)) ?? null,
    owner: facts.owner === undefined ? null : (answerOf(facts.owner) ?? null),
    shards: rowsOf(examined),
    contradictions,
    findings: findings.map(({ repair, commands, ...rest }) => ({
      ...rest,
      commands: commands.map((one) => commandOf(one, typed)),
      ...(repair === undefined ? {} : { repair: repair.plan }),
    })),
    causes: causes.map(({ code, title, seen, time }) => ({ code, title, seen, time })),
    ...(logs ? { logs: logsOf(examined) } : {}),
  };
}
