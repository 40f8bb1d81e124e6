import type { Evidence } from '../domain/health.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Host, HostReport } from '../ports/runner-host.ts';
import type { StageContext } from './context.ts';
import { note, type Watch } from './watch.ts';

type Hosts = readonly Host[] | { readonly unknown: string };

export function judgeInstances(context: StageContext, hosts: Hosts): Evidence {
  const expected = context.settings.managers;
  if ('unknown' in hosts)
    return note(context, 'instance', 'unknown', `the hosts cannot be listed: ${hosts.unknown}`);
  const online = hosts.filter(({ agent }) => agent === 'online');
  if (online.length >= expected)
    return note(
      context,
      'instance',
      'good',
      `${names(online)} ${online.length === 1 ? 'runs' : 'run'} and answers`,
    );
  const seen =
    hosts.length === 0
      ? 'no host is registered with Systems Manager'
      : `${names(hosts)}: the agent is lost`;
  return note(context, 'instance', 'missing', `${seen} (${online.length} of ${expected})`);
}

function names(hosts: readonly Host[]): string {
  return hosts.map(({ id }) => id).join(', ');
}

type Report = HostReport | { readonly kind: 'silent'; readonly reason: string };

export async function readReports(
  { ports }: StageContext,
  hosts: Hosts,
): Promise<readonly Report[]> {
  if ('unknown' in hosts) return [];
  const reports: Report[] = [];
  for (const host of hosts.filter(({ agent }) => agent === 'online')) {
    try {
      reports.push(await ports.host.look(host.id));
    } catch (error) {
      if (!isPortFailure(error)) throw error;
      reports.push({ kind: 'silent', reason: error.message });
    }
  }
  return reports;
}

export function judgeHosts(context: StageContext, reports: readonly Report[]): Evidence {
  const silent = reports.find((one) => one.kind === 'silent');
  if (reports.length === 0) return note(context, 'host', 'unknown', 'no host can be asked');
  if (silent !== undefined)
    return note(context, 'host', 'unknown', `a host did not answer: ${silent.reason}`);
  for (const report of reports as readonly HostReport[]) {
    if (report.process !== 'running')
      return note(
        context,
        'host',
        'missing',
        `the runner process is ${report.process}${lastWords(report)}`,
      );
    if (report.ready === 'not_ready')
      return note(
        context,
        'host',
        'missing',
        'the runner says that it is not ready (/health/ready)',
      );
  }
  return note(context, 'host', 'good', 'the runner process runs on every host');
}

function lastWords({ log }: HostReport): string {
  const last = log.findLast((line) => line.trim() !== '');
  return last === undefined ? '' : `; its log ends: ${last}`;
}

export async function probeWorkload(
  context: StageContext,
  watch: Watch,
  hosts: Hosts,
): Promise<Evidence> {
  if (watch.workload?.state === 'good') return watch.workload;
  if ('unknown' in hosts) return note(context, 'workload', 'unknown', 'no host can be asked');
  for (const host of hosts.filter(({ agent }) => agent === 'online')) {
    try {
      const result = await context.ports.host.probeWorkload(host.id);
      if (result.kind === 'failed')
        return note(
          context,
          'workload',
          'missing',
          `host ${host.id} cannot run a container: ${result.reason}`,
        );
    } catch (error) {
      if (!isPortFailure(error)) throw error;
      return note(context, 'workload', 'unknown', error.message);
    }
  }
  watch.workload = note(
    context,
    'workload',
    'good',
    'a volume and a container were made and removed on every host',
  );
  return watch.workload;
}
