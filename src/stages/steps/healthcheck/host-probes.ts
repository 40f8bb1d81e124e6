import type { Evidence } from '../../../domain/health/evidence.ts';
import type { Instance } from '../../../domain/instance.ts';
import type { Shard } from '../../../domain/shard.ts';
import { counted } from '../../../domain/text/count-text.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { HostReport } from '../../../ports/runner-host.ts';
import type { StageContext } from '../../context/context.ts';
import { onlineHosts } from './host-evidence.ts';
import { note, reportsOf, type Watch } from './watch.ts';

/** Creates and removes a volume and a container on every host, as a job would. */
export async function probeWorkload(context: StageContext, watch: Watch): Promise<Evidence> {
  const ids = onlineHosts(watch);
  if (ids.length === 0) return note(context, 'workload', 'unknown', 'no host can be queried');
  const results = await Promise.all(ids.map((id) => tryWorkload(context, id)));
  return (
    results.find((one) => one?.state === 'missing') ??
    results.find((one) => one !== undefined) ??
    note(
      context,
      'workload',
      'good',
      'a volume and a container were created and removed on every host',
    )
  );
}

async function tryWorkload(context: StageContext, id: string): Promise<Evidence | undefined> {
  try {
    const result = await context.ports.host.probeWorkload(id);
    if (result.kind === 'worked') return undefined;
    const detail = `host ${id} cannot run a container: ${result.reason}`;
    return note(context, 'workload', 'missing', detail);
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return note(context, 'workload', 'unknown', error.message);
  }
}

/**
 * Checks the idle workers by the metrics of all managers together. Only the runner knows which
 * workers are idle. EC2's list of workers is added as information.
 */
export async function checkCapacity(context: StageContext, watch: Watch): Promise<Evidence> {
  const expected = context.settings.healthcheck.idleWorkers;
  const reports = reportsOf(watch);
  const uncounted = reports.find(({ idleWorkers }) => idleWorkers === undefined);
  if (reports.length === 0 || uncounted !== undefined)
    return note(
      context,
      'capacity',
      'unknown',
      `the metrics of ${uncounted?.id ?? 'no host'} do not report how many workers are idle; ${await formatWorkers(context, watch.shard)}`,
    );
  const idle = reports.reduce((sum, { idleWorkers = 0 }) => sum + idleWorkers, 0);
  const seen = `${idle} of ${expected} idle workers exist`;
  if (idle >= expected) return note(context, 'capacity', 'good', seen);
  const workers = await formatWorkers(context, watch.shard);
  return note(context, 'capacity', 'missing', `${seen}${formatSlots(reports)}; ${workers}`);
}

/** Formats the states that keep slots from taking jobs, as the runner reports them. */
function formatSlots(reports: readonly Pick<HostReport, 'slots'>[]): string {
  const states = ['acquired', 'reserved', 'unavailable', 'unhealthy'].flatMap((state) => {
    const count = reports.reduce((sum, { slots }) => sum + (slots?.[state] ?? 0), 0);
    return count > 0 ? [`${count} ${state}`] : [];
  });
  return states.length === 0 ? '' : ` (${states.join(', ')})`;
}

/** Formats the workers by group and state. */
async function formatWorkers({ ports, settings }: StageContext, shard: Shard): Promise<string> {
  try {
    const found = await ports.instances.listWorkers({ runnerName: settings.runnerName, shard });
    if (found.length === 0) return 'EC2 lists no worker with the tags of the shard';
    const groups = new Set(found.map(groupOf));
    const groupTexts = [...groups].map((group) => {
      return `${group}: ${formatStates(found.filter((one) => groupOf(one) === group))}`;
    });
    return `EC2 lists ${counted(found.length, 'worker')} (${groupTexts.join('; ')})`;
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return `its workers in EC2 are unknown: ${error.message}`;
  }
}

function groupOf({ autoScalingGroup }: Pick<Instance, 'autoScalingGroup'>): string {
  return autoScalingGroup ?? 'in no group';
}

function formatStates(workers: readonly Pick<Instance, 'state'>[]): string {
  const states = new Set(workers.map(({ state }) => state));
  return [...states]
    .map((one) => `${workers.filter(({ state }) => state === one).length} ${one}`)
    .join(', ');
}

/** Probes each target from each host, because an allow list may contain only some addresses. */
export async function probeReachability(context: StageContext, watch: Watch): Promise<Evidence> {
  const { reach: targets } = context.settings.healthcheck;
  const ids = onlineHosts(watch);
  if (ids.length === 0) return note(context, 'reachability', 'unknown', 'no host can be queried');
  for (const id of ids) {
    try {
      const answers = await context.ports.host.reach(id, targets);
      const refused = answers.filter(({ kind }) => kind === 'refused');
      if (refused.length > 0)
        return note(
          context,
          'reachability',
          'missing',
          `host ${id} does not reach ${refused.map(({ target, detail }) => `${target} (${detail})`).join(', ')}`,
        );
    } catch (error) {
      if (!isPortFailure(error) || endsRun(error)) throw error;
      return note(context, 'reachability', 'unknown', error.message);
    }
  }
  return note(context, 'reachability', 'good', `every host reaches ${targets.join(', ')}`);
}
