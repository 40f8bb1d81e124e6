import { type CanaryJudgement, judgeCanary } from '../domain/canary.ts';
import type { Evidence, EvidenceKind } from '../domain/health.ts';
import { type ShardEntry, shardEntry } from '../domain/record.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Worker } from '../ports/registry.ts';
import type { Host, HostReport } from '../ports/runner-host.ts';
import { type StageContext, timestamp } from './context.ts';

/** What is carried from one look at a shard to the next. */
export interface Watch {
  readonly shard: Shard;
  readonly entry: ShardEntry;
  /** Managers on which a canary has succeeded. */
  readonly proven: Set<number>;
  canaryFailures: number;
  canaryStarts: number;
  canary?: string;
  workload?: Evidence;
  /** Managers that count, as last seen. */
  workers: readonly number[];
  hostReports: readonly HostReport[];
  /** Whether something is about to be decided, so that the next look comes soon. */
  hot: boolean;
}

export function startWatch({ journal }: StageContext, shard: Shard): Watch {
  return {
    shard,
    entry: shardEntry(journal.current(), shard),
    proven: new Set(),
    canaryFailures: 0,
    canaryStarts: 0,
    workers: [],
    hostReports: [],
    hot: false,
  };
}

const maximumCanaryStarts = 5;
const canaryFailuresThatCount = 2;

/** One look along the chain of evidence; what comes later is only asked once what comes first is there. */
export async function look(context: StageContext, watch: Watch): Promise<readonly Evidence[]> {
  const wanted = (kind: EvidenceKind) => context.settings.healthcheck.evidence[kind] !== 'off';
  const required = (kind: EvidenceKind) =>
    context.settings.healthcheck.evidence[kind] === 'required';
  const evidence: Evidence[] = [];
  const add = (one: Evidence) => {
    evidence.push(one);
    return one.state === 'good' || !required(one.kind);
  };
  const hosts = await tryHosts(context, watch.shard);
  if (wanted('instance') && !add(judgeInstances(context, hosts))) return evidence;
  const reports = await readReports(context, hosts);
  watch.hostReports = reports.filter((one) => one.kind === 'report');
  // The managers are needed to judge the canary, also where they are no evidence of their own.
  const managers = await lookAtManagers(context, watch);
  if (wanted('manager') && !add(managers)) return evidence;
  if (wanted('host') && !add(judgeHosts(context, reports))) return evidence;
  if (wanted('workload') && !add(await probeWorkload(context, watch, hosts))) return evidence;
  if (wanted('canary')) add(await lookAtCanary(context, watch));
  return evidence;
}

type Hosts = readonly Host[] | { readonly unknown: string };

async function tryHosts({ ports, settings }: StageContext, shard: Shard): Promise<Hosts> {
  if (settings.host.access === 'none') return { unknown: 'host access is configured to none' };
  try {
    return await ports.host.list({ runnerName: settings.runnerName, shard });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { unknown: error.message };
  }
}

function judgeInstances(context: StageContext, hosts: Hosts): Evidence {
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

async function readReports({ ports }: StageContext, hosts: Hosts): Promise<readonly Report[]> {
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

async function lookAtManagers(context: StageContext, watch: Watch): Promise<Evidence> {
  const { registration } = watch.entry;
  if (registration === undefined)
    return note(context, 'manager', 'bad', 'the shard has no registration');
  const expected = context.settings.managers;
  try {
    const found = await context.ports.registry.listWorkers(registration);
    if (found.kind === 'absent')
      return note(context, 'manager', 'bad', `runner ${registration} does not exist any more`);
    const workers = accepted(found.value, watch);
    watch.workers = workers.map(({ id }) => id);
    if (workers.length >= expected) {
      const versions = [...new Set(workers.map(({ version }) => version))].join(', ');
      return note(
        context,
        'manager',
        'good',
        `manager ${watch.workers.join(', ')} (gitlab-runner ${versions}) has contacted GitLab`,
      );
    }
    return note(
      context,
      'manager',
      'missing',
      missingManagers(registration, found.value, { watch, expected }),
    );
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return note(context, 'manager', 'unknown', `the managers cannot be listed: ${error.message}`);
  }
}

function missingManagers(
  id: RegistrationId,
  all: readonly Worker[],
  { watch, expected }: { watch: Watch; expected: number },
): string {
  if (all.length === 0) return `GitLab has never heard from a manager of runner ${id}`;
  return `${watch.workers.length} of ${expected} managers of runner ${id} have contacted GitLab since the last apply`;
}

/** Born by the last apply (a higher id than any before it), or proven by the host itself to be its process. */
function accepted(workers: readonly Worker[], { entry, hostReports }: Watch): readonly Worker[] {
  const floor = entry.highestWorkerBeforeApply ?? 0;
  const onHosts = new Set(
    hostReports.flatMap(({ process, systemId }) =>
      process === 'running' && systemId !== undefined ? [systemId] : [],
    ),
  );
  return workers.filter(
    (worker) =>
      worker.contactedAt !== undefined && (worker.id > floor || onHosts.has(worker.systemId)),
  );
}

function judgeHosts(context: StageContext, reports: readonly Report[]): Evidence {
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

async function probeWorkload(context: StageContext, watch: Watch, hosts: Hosts): Promise<Evidence> {
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

async function lookAtCanary(context: StageContext, watch: Watch): Promise<Evidence> {
  const { ports, settings } = context;
  if (settings.canary.kind === 'off')
    return note(context, 'canary', 'unknown', 'no canary is configured');
  try {
    const job = await ports.canary.findNewest();
    const judgement = judgeCanary({
      job,
      registrationId: watch.entry.registration ?? '',
      workers: watch.workers,
      canaryAtApply: watch.entry.canaryAtApply,
    });
    watch.hot = true;
    return await act(context, watch, { judgement, jobId: job?.id });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const press = error.kind === 'denied' ? `; ${ports.canary.byHand}` : '';
    return note(
      context,
      'canary',
      'unknown',
      `the canary cannot be asked: ${error.message}${press}`,
    );
  }
}

async function act(
  context: StageContext,
  watch: Watch,
  { judgement, jobId }: { judgement: CanaryJudgement; jobId: string | undefined },
): Promise<Evidence> {
  switch (judgement.kind) {
    case 'proof':
      watch.proven.add(judgement.workerId);
      if (jobId !== undefined) watch.canary = jobId;
      if (coversAll(watch)) return note(context, 'canary', 'good', judgement.reason);
      return startCanary(
        context,
        watch,
        `${judgement.reason}; the other managers are still to prove`,
      );
    case 'wait':
      return note(context, 'canary', 'missing', judgement.reason);
    case 'failed':
      watch.canaryFailures += 1;
      if (watch.canaryFailures >= canaryFailuresThatCount)
        return note(context, 'canary', 'bad', judgement.reason);
      return startCanary(context, watch, judgement.reason);
    case 'start':
      return startCanary(context, watch, judgement.reason);
  }
}

/** One canary for each manager, or the host's own word for the others. */
function coversAll({ workers, proven, hostReports }: Watch): boolean {
  const alive = hostReports.filter(({ process }) => process === 'running').length;
  return workers.every((id) => proven.has(id)) || (proven.size > 0 && alive >= workers.length);
}

async function startCanary(context: StageContext, watch: Watch, reason: string): Promise<Evidence> {
  if (watch.canaryStarts >= maximumCanaryStarts) {
    return note(
      context,
      'canary',
      'unknown',
      `${reason}; ${watch.canaryStarts} canaries were started and none could prove anything`,
    );
  }
  watch.canaryStarts += 1;
  const job = await context.ports.canary.start();
  context.log.act(`Started canary job ${job.id}: ${reason}.`);
  return note(context, 'canary', 'missing', `canary job ${job.id} waits for a runner`);
}

const sources: Readonly<Record<EvidenceKind, string>> = {
  instance: 'AWS Systems Manager',
  manager: 'GitLab',
  host: 'Run Command',
  workload: 'Run Command',
  canary: 'GitLab',
};

function note(
  context: StageContext,
  kind: EvidenceKind,
  state: Evidence['state'],
  detail: string,
): Evidence {
  return { kind, state, detail, source: sources[kind], at: timestamp(context) };
}
