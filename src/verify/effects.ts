import type { Head } from './event-file-parser.ts';
import type { FirstOccurrences } from './first-occurrences.ts';
import type { Invariant, Judge } from './judge.ts';
import { shardIn } from './model-updates.ts';
import { hostsThere, type PortCall, parameterIn, type WorldModel } from './world-model.ts';

/** Start of an effect, with the knowledge of its run at that moment. */
export interface Moment {
  readonly head: Head;
  readonly known: WorldModel;
  readonly call: PortCall;
  readonly judge: Judge;
  readonly firsts: FirstOccurrences;
}

/**
 * Requires a condition at the start of an effect; the reason is reported with the effect and its
 * line.
 */
export function expectAt(
  { call, judge }: Moment,
  invariant: Invariant,
  holds: boolean,
  reason: string,
): void {
  const { line, name, args } = call;
  judge.expect(invariant, holds, `line ${line.place}: ${name} ${brief(args)}: ${reason}`);
}

function brief(args: readonly unknown[]): string {
  return args
    .map((arg) => JSON.stringify(arg) ?? '')
    .join(' ')
    .slice(0, 100);
}

/** Returns the runner that the call changes: for an assignment, the one that gets the projects. */
export function registrationIn({ args: [given] }: Moment['call']): string {
  const isAssignment = typeof given === 'object' && given !== null && 'to' in given;
  return String(isAssignment ? given.to : given);
}

/** Returns the shard that an effect changes, as far as it is known. */
export function touched(moment: Moment): string | undefined {
  const { call, known, head } = moment;
  const [port] = call.name.split('.');
  if (port === 'infrastructure') return shardIn(call);
  if (port === 'registry') return shardOfRegistration(moment, registrationIn(call));
  if (port === 'host') {
    const host = String(call.args[0]);
    for (const [shard, hosts] of known.hosts)
      if (hosts !== 'unknown' && hosts.includes(host)) return shard;
  }
  if (port === 'parameters') {
    const { name } = parameterIn(call);
    return head.shards.find((shard) => name === `${head.prefix}${shard}/runner_token`);
  }
  return undefined;
}

function shardOfRegistration({ known, head }: Moment, id: string): string | undefined {
  const { description } = known.registrations.get(id) ?? {};
  const named = head.shards.find((shard) => description === `${shard}-${head.runner}`);
  const recorded = head.shards.find((shard) => known.record?.shards[shard]?.registration === id);
  return recorded ?? named;
}

/**
 * Returns whether the call concerns the lock, the hold or the canary's job, which belong to no
 * shard.
 */
export function isHousekeeping({ call, head }: Pick<Moment, 'call' | 'head'>): boolean {
  if (call.name.startsWith('canary.') || call.name === 'host.probeWorkload') return true;
  if (!call.name.startsWith('parameters.')) return false;
  const { name } = parameterIn(call);
  return name === `${head.prefix}deployment_lock` || name === `${head.prefix}deployment_hold`;
}

export function isStatus({ call, head }: Moment): boolean {
  return parameterIn(call).name === `${head.prefix}deployment_status`;
}

export function isRecord({ call, head }: Moment): boolean {
  return parameterIn(call).name === `${head.prefix}deployment_record`;
}

/**
 * Returns whether nothing of a runner can run: it is gone, never contacted, or was seen without a
 * job.
 */
export function isRegistrationIdle(
  { known }: Pick<Moment, 'known'>,
  id: string,
  shard: string | undefined,
): boolean {
  const registration = known.registrations.get(id);
  if (registration?.gone === true || registration?.contacted === false) return true;
  return known.jobs.get(id) === 0 || isShardDead({ known }, shard);
}

/**
 * Returns whether a shard has no live host, whatever the registry still reports. EC2 suffices if it
 * lists all machines as terminated and no host is listed. An absent infrastructure also needs an
 * empty host list.
 */
export function isShardDead({ known }: Pick<Moment, 'known'>, shard = ''): boolean {
  const hosts = hostsThere(known, shard);
  if (hosts === 'unknown') return known.terminated.has(shard);
  const isGone = ['absent', 'destroyed'].includes(known.exists.get(shard) ?? '');
  return hosts.length === 0 && (isGone || known.terminated.has(shard));
}
