import type { Evidence } from '../../../domain/health/evidence.ts';
import { mayRun } from '../../../domain/instance.ts';
import { causeLines } from '../../../domain/text/log-line.ts';
import { answerOr, endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { HostReport } from '../../../ports/runner-host.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { findEnded } from '../../observe/host-ends.ts';
import { listHosts } from '../../observe/observe.ts';
import { openShardSources } from '../../observe/shard-sources.ts';
import {
  type HostCheck,
  type Hosts,
  keepHostChecks,
  note,
  renewEvidence,
  type Watch,
} from './watch.ts';

/** Checks the instances, and each host, because the hosts' reports identify the managers. */
export async function checkInstances(context: StageContext, watch: Watch): Promise<Evidence> {
  watch.kept.delete('host');
  watch.hosts = await listHosts(context, watch.shard);
  await noteCrowd(context, watch);
  const evidence = judgeInstances(context, watch.hosts);
  const canPrompt = context.settings.healthcheck.evidence.instance === 'required';
  keepHostChecks(
    watch,
    canPrompt && evidence.state !== 'good' ? [] : await checkEach(context, watch.hosts),
  );
  const unresponsive = watch.hostChecks
    .filter(({ report }) => report.kind === 'silent')
    .map(({ id }) => id);
  const ended = await findEnded(openShardSources(context, watch.shard), unresponsive);
  if (ended.size === 0 || 'unknown' in watch.hosts) return evidence;
  watch.hosts = watch.hosts.filter(({ id }) => !ended.has(id));
  watch.hostChecks = watch.hostChecks.filter(({ id }) => !ended.has(id));
  return judgeInstances(context, watch.hosts);
}

/**
 * Warns at once of workers that carry a manager's name and count as managers. No runner ever starts
 * on them, so the healthcheck would otherwise end only at its limit.
 */
async function noteCrowd(context: StageContext, watch: Watch): Promise<void> {
  const { settings, log } = context;
  const { shard, hosts } = watch;
  if ('unknown' in hosts || hosts.length <= settings.managers || watch.crowd !== undefined) return;
  const listed = await answerOr(openShardSources(context, shard).instances, undefined);
  // Systems Manager lists a replaced machine for a while.
  const running = listed?.filter(({ state }) => mayRun(state));
  if (running === undefined || running.length <= settings.managers) return;
  const shown = running.map(({ id, autoScalingGroup: group }) =>
    group === undefined ? id : `${id} (Auto Scaling group ${group})`,
  );
  watch.crowd = `${running.length} running hosts (${shown.join(', ')}) have the Name tag of a manager of ${shard}, but the key managers is ${settings.managers}`;
  log.warn(`${watch.crowd}. Give the workers another Name tag, or increase the key managers.`);
}

function judgeInstances(context: StageContext, hosts: Hosts): Evidence {
  const expected = context.settings.managers;
  if ('unknown' in hosts)
    return note(context, 'instance', 'unknown', `the hosts cannot be listed: ${hosts.unknown}`);
  const online = hosts.filter(({ agent }) => agent === 'online');
  const other = hosts.find(({ platform }) => platform !== undefined);
  if (other !== undefined)
    return note(
      context,
      'instance',
      'bad',
      `${other.id} is a ${other.platform} host, and the scripts that query hosts need Linux (host.access)`,
    );
  if (online.length >= expected)
    return note(
      context,
      'instance',
      'good',
      `${names(online)} ${online.length === 1 ? 'runs' : 'run'} and responds`,
    );
  const lost = hosts.filter(({ agent }) => agent !== 'online');
  const seen =
    hosts.length === 0
      ? 'no host is registered with Systems Manager'
      : lost.length === 0
        ? `only ${names(online)} responds`
        : `the agent of ${names(lost)} does not respond`;
  return note(context, 'instance', 'missing', `${seen} (${online.length} of ${expected})`);
}

function names(hosts: readonly { readonly id: string }[]): string {
  return hosts.map(({ id }) => id).join(', ');
}

/** Returns the ids of the hosts that respond to commands. */
export function onlineHosts({ hosts }: Watch): readonly string[] {
  return 'unknown' in hosts
    ? []
    : hosts.filter(({ agent }) => agent === 'online').map(({ id }) => id);
}

/**
 * Reads the hosts again for the explanation of a verdict, because an older report may miss the
 * cause. A host that no longer responds keeps its last report.
 */
export async function recheckHosts(context: StageContext, watch: Watch): Promise<void> {
  const known = new Map(watch.hostChecks.map((check) => [check.id, check]));
  const fresh = await checkEach(context, watch.hosts);
  for (const check of fresh) {
    if (check.report.kind === 'report' || !known.has(check.id)) known.set(check.id, check);
  }
  keepHostChecks(watch, [...known.values()]);
}

async function checkEach({ ports }: StageContext, hosts: Hosts): Promise<readonly HostCheck[]> {
  if ('unknown' in hosts) return [];
  return Promise.all(
    hosts
      .filter(({ agent }) => agent === 'online')
      .map(async ({ id }) => {
        try {
          return { id, report: await ports.host.look(id) };
        } catch (error) {
          if (!isPortFailure(error) || endsRun(error)) throw error;
          return { id, report: { kind: 'silent' as const, reason: error.message } };
        }
      }),
  );
}

/** Checks the hosts' reports. A feature that the runner's version lacks is not required. */
export async function checkHosts(context: StageContext, watch: Watch): Promise<Evidence> {
  // A check of the same round is reused; otherwise the hosts are read again.
  const instance = watch.kept.get('instance');
  const isOfThisRound = !watch.kept.has('host') && isYoung(context, instance?.elapsed);
  if (!isOfThisRound) keepHostChecks(watch, await checkEach(context, watch.hosts));
  const { hostChecks: checks } = watch;
  if (checks.length === 0) return note(context, 'host', 'unknown', 'no host can be queried');
  for (const { id, report } of checks) {
    if (report.kind === 'silent')
      return note(context, 'host', 'unknown', `host ${id} did not respond: ${report.reason}`);
    const fault = faultOf(report);
    if (fault !== undefined)
      return note(
        context,
        'host',
        'missing',
        `${fault} on ${id}${watch.crowd === undefined ? '' : `; ${watch.crowd}`}${readLastLines(report)}`,
      );
  }
  if (checks.length < context.settings.managers)
    return note(
      context,
      'host',
      'missing',
      `only ${names(checks)} can be queried (${checks.length} of ${context.settings.managers})`,
    );
  renewEvidence(context, watch, 'instance');
  return (
    (await refusedToken(context, watch)) ??
    note(context, 'host', 'good', 'the runner process runs on every host')
  );
}

/**
 * Returns whether the reports are recent. The managers may have taken minutes to appear, which
 * makes earlier reports old.
 */
function isYoung({ ports, settings }: StageContext, at: number | undefined): boolean {
  return at !== undefined && ports.clock.elapsed() - at < settings.healthcheck.pollMs;
}

function faultOf({ process, ready, health, wrapper }: HostReport): string | undefined {
  if (wrapper === 'stopped' || wrapper === 'in_shutdown')
    return `the wrapper reports the runner process as ${wrapper.replace('_', ' ')}`;
  if (process !== 'running') return `the runner process is ${process}`;
  if (ready === 'not_ready') return 'the runner reports that it is not ready (/health/ready)';
  if (health === 'unhealthy' || health === 'starting')
    return `the container's own health check reports ${health}`;
  return undefined;
}

function readLastLines({ log }: HostReport): string {
  const [last] = causeLines(log, 1);
  return last === undefined ? '' : `; its log has: ${last}`;
}

/**
 * Checks whether GitLab refuses a host's token. Must follow the manager check, because this check
 * itself counts as a contact.
 */
async function refusedToken(context: StageContext, watch: Watch): Promise<Evidence | undefined> {
  if (context.settings.healthcheck.evidence.manager === 'off') return undefined;
  for (const { id } of watch.hostChecks) {
    if (watch.acceptedTokens.has(id)) continue;
    const word = await verify(context, id);
    if (word.kind !== 'refused') {
      // An unknown result does not count: the runner is old or slow, or keeps its file elsewhere.
      watch.acceptedTokens.add(id);
      continue;
    }
    watch.refusedTokens.add(id);
    return note(
      context,
      'host',
      'missing',
      `${wordsOf(context).registry} refuses the token of the runner on ${id} (${word.detail})`,
    );
  }
  return undefined;
}

async function verify({ ports }: StageContext, id: string) {
  try {
    return await ports.host.verifyToken(id);
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { kind: 'unknown' as const, detail: error.message };
  }
}
