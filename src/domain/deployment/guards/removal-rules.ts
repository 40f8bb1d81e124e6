import { whyBusy } from '../../drain/drain-check.ts';
import { findRegistryOnly } from '../../drain/registry-only.ts';
import { mayBeStopped } from '../../drain/shard-intake.ts';
import { requestWithinMs } from '../../health/service-verdict.ts';
import { otherShard, type Shard, type ShardPair } from '../../shard.ts';
import { counted } from '../../text/count-text.ts';
import { formatDuration } from '../../text/duration.ts';
import { type DeploymentRecord, shardEntry } from '../record.ts';
import { isBefore, isDrained, isPastQuarantine } from '../stages-and-steps.ts';
import { areSettled } from '../tally.ts';
import { describeForeignJob } from './guards.ts';
import type {
  MethodEvidence,
  PartEvidence,
  PauseEvidence,
  RemovalSnapshot,
} from './removal-snapshot.ts';
import { refuseAsOther } from './shard-membership.ts';

/**
 * Rules of removal. A shard is stopped, deregistered or destroyed only if all of these hold.
 * `active`: `deployment_status` does not name it. The gate compares that with the record before
 * each effect.
 * `owner`: its runner does not have the other shard's description. A runner that an operator
 * created and that was never promoted is not removed. Its own settings are restored instead
 * (`restore-registration.ts`).
 * `phase`: it is drained, or a candidate in retreat, which is drained as well.
 * `other_serves`: the other shard is verified now, before each irreversible effect. A shard in
 * quarantine without a customer job needs no other shard.
 * `open`, `jobs`: it is paused and got no job since the drain, right before its runner is removed
 * (`recheck`).
 *
 * A candidate is put into retreat only if these hold as well.
 * `jobs`: neither registry nor hosts report a job.
 * `served`: it never had a production tag.
 * `healthy`: two consecutive checks found it unhealthy, or no manager ever contacted the registry.
 * `quarantine`: for `recover`, it is in quarantine or drained.
 *
 * An operator's choice replaces some rules, never `active`, `owner` or `phase`. `drain.force_after`
 * ends the wait for jobs (`force_after`). `--although-nothing-serves` replaces `other_serves` and
 * the rules of a candidate. It requires that neither shard accepts jobs and that nothing of the
 * removed shard may run (`serves`, `process`, `contact`).
 *
 * `planRemoval` in `worker-removal.ts` covers runners of single workers. During a bake, the plan of
 * the stages (`stage-plan.ts`) keeps the old shard: no step of a removal reaches it.
 */
export type RemovalRule =
  | ('active' | 'owner' | 'phase' | 'other_serves' | 'open' | 'jobs')
  | ('served' | 'healthy' | 'quarantine' | 'force_after' | 'serves' | 'process' | 'contact');

export type RemovalVerdict =
  | { readonly may: true; readonly reason: string }
  | { readonly may: false; readonly rule: RemovalRule; readonly reason: string };

type AnyMethod = Snapshot<MethodEvidence['act']>;
type Snapshot<Act> = Extract<RemovalSnapshot, { readonly act: Act }>;

const yes = (reason: string) => ({ may: true, reason }) as const;
const no = (rule: RemovalRule, reason: string) => ({ may: false, rule, reason }) as const;

/** Decides whether a shard, or a part of it, may be removed. No other function decides this. */
export function mayRemove(snapshot: RemovalSnapshot): RemovalVerdict {
  switch (snapshot.act) {
    case 'recheck':
      return judgeRecheck(snapshot);
    case 'force_after':
      return judgeForceAfter(snapshot);
    case 'although_nothing_serves':
      return judgeOutage(snapshot);
    case 'retreat':
    case 'cleanup':
    case 'replace':
    case 'terminate':
      return judgeCandidate(snapshot);
    default:
      return judgePart(snapshot);
  }
}

function judgePart(snapshot: Snapshot<PartEvidence['act']>): RemovalVerdict {
  const { act, record, shard, registrations, use, other, forceWhenNoneAccepts } = snapshot;
  const { phase, retiring } = record.deployment;
  for (const registration of registrations) {
    const foreign = refuseAsOther({ ...snapshot, registration });
    if (foreign !== undefined) return no('owner', foreign);
  }
  const isDraining = act === 'kill' && phase === 'draining';
  const isOut = shard === retiring ? isDraining || isDrained(phase) : phase === 'retreating';
  if (act !== 'change' && !isOut)
    return no(
      'phase',
      `${shard} is neither drained nor in retreat; the deployment is in phase ${phase}`,
    );
  if (use === undefined) return yes(`${shard} is in quarantine and runs no customer job`);
  if (forceWhenNoneAccepts) return yes(`Continuing although no shard is verified: ${use}.`);
  return other?.kind === 'proven' ? yes(other.reason) : no('other_serves', use);
}

function judgeRecheck(snapshot: Snapshot<'recheck'>): RemovalVerdict {
  const { record, observation, words, managers, isForced } = snapshot;
  const { registration, paused } = words;
  if (observation.registration.kind === 'seen' && !observation.registration.paused)
    return no('open', `the ${registration} is not ${paused}`);
  // The registry still lists the jobs of a host that no longer exists.
  const busy = observation.hostsGone ? undefined : whyBusy(observation, words);
  const only = findRegistryOnly([observation], { words, pollOfRunnerMs: 0, managers });
  // A process that has ended accepts no job: jobs that the registry still lists were reported as
  // lost.
  const isDropped =
    only !== undefined &&
    ((isForced && only.ended) || areSettled(only.jobs, record.deployment.tally?.drain));
  return busy === undefined || isDropped ? yes('no job has started since') : no('jobs', busy);
}

function judgeForceAfter(snapshot: Snapshot<'force_after'>): RemovalVerdict {
  const { drainVerdict, drainsForMs, forceAfterMs } = snapshot;
  if (forceAfterMs === undefined || drainsForMs < forceAfterMs)
    return no('force_after', 'drain.force_after has not passed');
  return drainVerdict.kind === 'busy' && drainVerdict.registryOnly === undefined
    ? yes(drainVerdict.reason)
    : no('jobs', `no host runs a job: ${drainVerdict.reason}`);
}

/** Decides by rule 6, and by the requirements of the recovery methods. */
function judgeCandidate(snapshot: Snapshot<'retreat' | MethodEvidence['act']>): RemovalVerdict {
  const { act, record, shard, active, words, forceWhenNoneAccepts } = snapshot;
  const entry = shardEntry(record, shard);
  const removes = act === 'retreat' || act === 'cleanup';
  if (active === shard) return no('active', `${shard} is the active shard`);
  // The following drain waits for its jobs.
  if (forceWhenNoneAccepts && removes) return yes('no shard accepts jobs');
  const job = findJob(snapshot);
  if (job !== undefined) return no('jobs', job);
  const isKept = act === 'retreat' || snapshot.quarantined || forceWhenNoneAccepts;
  if (!isKept && !isDrained(record.deployment.phase))
    return no('quarantine', `${shard} is neither in quarantine nor drained`);
  if (!removes) return yes('it runs no job');
  if (entry.productionTag)
    return no('served', `${shard} had production ${words.tags} but is not drained`);
  if (!snapshot.contacted) return yes(`no ${words.manager} ever contacted ${words.registry}`);
  const { unhealthyInARow: count } = entry;
  if (count < 2)
    return no(
      'healthy',
      `${shard} was found unhealthy ${count === 1 ? 'once' : `${count} times`}; required: twice in a row, or a ${words.manager} that never contacted ${words.registry}`,
    );
  const ended = act === 'retreat' || snapshot.tokenLost ? 'unknown' : snapshot.lastJobs;
  if (ended === 'unknown' || ended.slice(0, 2).every((end) => end === 'failed'))
    return yes('it was found unhealthy twice in a row');
  return no(
    'healthy',
    `the record counts ${count} unhealthy verdicts in a row, but the CI's last two provision jobs ended with ${ended.slice(0, 2).join(' and ')}`,
  );
}

/** Returns a job that the registry or a host reports, or that neither excludes. */
function findJob(snapshot: Snapshot<'retreat' | MethodEvidence['act']>): string | undefined {
  const { act, shard, jobs, hostJobs, words } = snapshot;
  const hidden = act === 'retreat' ? 'no' : snapshot.hiddenJob;
  if (jobs[0] !== undefined) return describeForeignJob(jobs[0], snapshot);
  if (hidden === 'yes')
    return `${words.registry} reports that the ${words.registration} of ${shard} runs a job that this token cannot see`;
  if (typeof hostJobs === 'number' && hostJobs > 0)
    return `the host of ${shard} reports ${counted(hostJobs, 'job')}`;
  if (act === 'retreat' || hidden !== 'unknown') return undefined;
  if (act === 'terminate' && isInspected(snapshot)) return undefined;
  return snapshot.registrationGone
    ? `the ${words.record} of ${shard} no longer exists and none of its hosts responds: a job may still run there`
    : `it is unknown whether the ${words.registration} of ${shard} runs a job that this token cannot see: ${words.registry} does not report it, and none of its hosts responds`;
}

/**
 * Returns whether the operator named a machine of a shard that accepts no new job, and thus has
 * checked it.
 */
function isInspected({ record, isMachineNamed, registrationGone }: AnyMethod): boolean {
  const drains = registrationGone || !isBefore(record.deployment.phase, 'draining');
  return drains && isMachineNamed === true;
}

/**
 * Decides without a verified shard. A pause ends no process: a host without a response may run one
 * before its stop.
 */
function judgeOutage(snapshot: Snapshot<'although_nothing_serves'>): RemovalVerdict {
  const { record, shard, words, service, pause, contactAgeMs: age } = snapshot;
  if (service.kind === 'proven') return no('serves', `${shard} accepts jobs: ${service.reason}`);
  const hasNoContact = age !== undefined && age > requestWithinMs;
  const contact = `a ${words.manager} contacted ${words.registry} ${formatDuration(age ?? 0)} ago`;
  if (pause !== undefined && !hasEnded(pause)) {
    const closed = `${shard} was paused ${pause.by} and`;
    if (pause.hosts.some(({ kind }) => kind === 'jobs'))
      return no('process', `${closed} has a running process`);
    if (!mayBeStopped(record.deployment) && !hasNoContact)
      return no(
        'process',
        age === undefined
          ? `${closed} no source confirms that its processes have ended`
          : `${closed} may have a running process: ${contact}`,
      );
  }
  // A contact proves nothing, but contradicts an end that only one source reports.
  const mayAcceptJobs =
    service.kind === 'unknown' && service.open && !(service.against && service.ended !== true);
  if (!mayAcceptJobs || age === undefined || hasNoContact)
    return yes(`${shard} cannot accept jobs`);
  const within = formatDuration(requestWithinMs);
  return no(
    'contact',
    `${shard} may accept jobs: ${contact}; it can be removed after ${within} without contact`,
  );
}

function hasEnded({ hosts, isWithoutMachines }: PauseEvidence): boolean {
  return hosts.length === 0 ? isWithoutMachines : hosts.every(({ kind }) => kind === 'stopped');
}

/**
 * Returns the shard that `--although-nothing-serves` removes: before the promotion the candidate,
 * after it the retiring shard. During the promotion, a candidate that the status names stays: no
 * apply may change it, so the other shard is rebuilt.
 */
export function shardToForceRemove(
  { deployment }: DeploymentRecord,
  { active, shards }: { readonly active: Shard | undefined; readonly shards: ShardPair },
): Shard {
  const { phase, candidate, retiring } = deployment;
  if (phase === 'promoting')
    return active === candidate ? otherShard(shards, candidate) : candidate;
  return isPastQuarantine(phase) ? (retiring ?? candidate) : candidate;
}
