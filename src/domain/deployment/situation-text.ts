import { formatBaking, isBaking } from '../bake/bake-note.ts';
import { nameFirstJob } from '../drain/job-text.ts';
import { endRegistryOnly } from '../drain/registry-only.ts';
import type { Service } from '../health/service-verdict.ts';
import type { RegistryJob } from '../registration.ts';
import { inTerms, type RegistryTerms } from '../registry-terms.ts';
import type { Shard, ShardPair } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import { type Deployment, type DeploymentRecord, expectedActive } from './record.ts';
import { isBefore, isReturnable, leftAt } from './stages-and-steps.ts';

/** Facts of the situation line, each as far as it could be read. */
export interface SituationFacts {
  readonly shards: ShardPair;
  readonly status: Status | { readonly kind: 'unread'; readonly reason: string };
  service(shard: Shard): Service;
  readonly deployment: Deployment | 'none' | 'unread';
  /** Customer jobs on the `watchedShard`. */
  readonly customers: readonly RegistryJob[];
  /** Jobs on a draining shard that the registry alone lists; absent if not queried. */
  readonly registryOnly?: readonly RegistryJob[];
  /** Whether the candidate is known to have no machine. */
  readonly machineless?: boolean;
  readonly words: RegistryTerms;
}

/**
 * Returns the shard whose customer jobs are listed: a candidate that must not get any, or a
 * retiring shard before its drain. The drain itself lists them later.
 */
export function watchedShard(deployment: Deployment | undefined): Shard | undefined {
  if (deployment === undefined || deployment.phase === 'done') return undefined;
  const { phase, candidate, retiring } = deployment;
  if (isBefore(phase, 'promoting')) return candidate;
  return phase === 'promoted' ? retiring : undefined;
}

/**
 * Formats the line that an operator needs first: the shard that accepts jobs, the proof, and the
 * rest of the deployment. Its parts never contradict each other.
 */
export function formatSituation(facts: SituationFacts): string {
  return [...formatShards(facts), ...formatRest(facts)].join(' ');
}

function formatShards(facts: SituationFacts): readonly string[] {
  const { status, shards, deployment } = facts;
  const all = shards.flatMap((shard) => formatInactive(facts, shard, 'alone'));
  switch (status.kind) {
    case 'known': {
      const { active, inactive } = status;
      const service = facts.service(active);
      const beside = service.kind === 'proven' ? 'beside' : 'alone';
      return [formatActive(active, service), ...formatInactive(facts, inactive, beside)];
    }
    case 'absent':
      return [
        all.length === 0 && (deployment === 'none' || isBeforeAny(deployment))
          ? 'No shard is active yet: there is no deployment_status.'
          : 'It is unknown which shard is active: deployment_status no longer exists.',
        ...all,
      ];
    default:
      return [`It is unknown which shard is active: ${status.reason}.`, ...all];
  }
}

/** Returns whether no status is expected: the first promotion has not happened. */
function isBeforeAny(deployment: SituationFacts['deployment']): boolean {
  return typeof deployment !== 'string' && expectedActive(deployment) === 'none';
}

function formatActive(active: Shard, service: Service): string {
  switch (service.kind) {
    case 'proven':
      return `${active} accepts jobs: ${service.reason}.`;
    case 'closed':
      return `${active} is active but takes no jobs: ${service.reason}.`;
    case 'disproven':
      return `${active} is active but cannot accept jobs: ${service.reason}.`;
    case 'unknown':
      return service.open
        ? `${active} is active but not verified: ${service.reason}.`
        : `${active} is active; it is unknown whether it accepts jobs: ${service.reason}.`;
  }
}

/** Describes an inactive shard only if it accepts customer jobs, or may do so. */
function formatInactive(
  { service, deployment }: SituationFacts,
  shard: Shard,
  as: 'beside' | 'alone',
): readonly string[] {
  const verdict = service(shard);
  if (verdict.kind === 'proven')
    return [`${shard} accepts jobs${as === 'beside' ? ', too' : ''}: ${verdict.reason}.`];
  if (verdict.kind !== 'unknown') return [];
  if (verdict.open) return [`${shard} may accept jobs: ${verdict.reason}.`];
  // An unreadable state is reported once, and not for a shard that may not exist.
  const isKnown = typeof deployment !== 'string' && deployment.phase !== 'done';
  return isKnown ? [`It is unknown whether ${shard} accepts jobs.`] : [];
}

function formatRest(facts: SituationFacts): readonly string[] {
  const { deployment, customers } = facts;
  if (deployment === 'none') return ['No deployment is recorded.'];
  if (deployment === 'unread') return ['The deployment record could not be read.'];
  const isEarly = deployment.phase !== 'done' && isBefore(deployment.phase, 'promoting');
  const { candidate } = deployment;
  const rule = isOpen(facts.service(candidate)) ? '' : ', which must not take customer jobs';
  const jobs = (isEarly ? customers : []).map((job) => `${formatJob(job, candidate)}${rule}.`);
  const phase = formatPhase(facts, deployment);
  return [
    ...(phase === '' ? [] : [phase]),
    ...formatPaused(facts, deployment),
    ...formatUnreported(facts, deployment),
    ...jobs,
  ];
}

function formatUnreported(
  { registryOnly = [], words: { registry } }: SituationFacts,
  { retiring }: Deployment,
): readonly string[] {
  if (registryOnly.length === 0 || retiring === undefined) return [];
  return [
    `Only ${registry} lists ${nameFirstJob(registryOnly)}; no host of ${retiring} runs a job. ${endRegistryOnly(registryOnly, { registry })}.`,
  ];
}

/** Reports a pause before the drain, which would report it later. */
function formatPaused(
  { service, status, customers }: SituationFacts,
  { phase, retiring }: Deployment,
): readonly string[] {
  if (phase !== 'promoted' || retiring === undefined) return [];
  const verdict = service(retiring);
  if (verdict.kind !== 'closed' || verdict.absent === true) return [];
  // The line already describes the active shard.
  const isReported = status.kind === 'known' && status.active === retiring;
  const beyond = customers.length - mostJobs;
  return [
    ...(isReported ? [] : [`${retiring} takes no new jobs: ${verdict.reason}.`]),
    ...customers.slice(0, mostJobs).map((job) => `${formatJob(job, retiring)}.`),
    ...(beyond > 0 ? [`${beyond} more run on ${retiring}.`] : []),
  ];
}

/** Maximum number of expected jobs that are named. */
const mostJobs = 3;

function formatJob({ id, name, project, status }: RegistryJob, shard: Shard): string {
  return `Job ${id} "${name}" of ${project} is ${status} on ${shard}`;
}

/** Formats the phase in the record, unless an observation contradicts it. */
function formatPhase(
  { service, customers, machineless, words }: SituationFacts,
  deployment: Deployment,
): string {
  const { phase, candidate, retiring } = deployment;
  const built = service(candidate);
  if (phase !== 'done' && isBefore(phase, 'promoting')) {
    if (isOpen(built)) return `${candidate} is built but not in quarantine.`;
    if (built.kind === 'disproven' && built.open === true)
      return `${candidate} is not in quarantine but cannot accept jobs: ${built.reason}.`;
    if (!isBefore(phase, 'applied') && machineless === true)
      return `${candidate} was built but has no machine; it takes no customer jobs.`;
  }
  const takesNoNewJob = phase !== 'promoted' && isReturnable(phase);
  if (takesNoNewJob && retiring !== undefined && isOpen(service(retiring))) {
    const since = phase === 'draining' ? `still ${words.unpaused}` : `${words.unpaused} again`;
    return `${retiring} must take no new jobs, but its ${words.registration} is ${since}.`;
  }
  const isIdle = customers.length === 0 && built.kind !== 'unknown';
  const phaseText = describePhase(deployment, words, { isIdle });
  // "In quarantine" is then the last known act, not an observation.
  const isRecorded = phaseText !== '' && built.kind === 'unknown' && isBefore(phase, 'promoting');
  return isRecorded ? `According to the record, ${phaseText}` : phaseText;
}

function isOpen(service: Service): boolean {
  return service.kind === 'proven' || (service.kind === 'unknown' && service.open);
}

/**
 * Describes the state that an unfinished deployment has left.
 * `isIdle`: no observation contradicts that its candidate runs no customer job.
 */
function describePhase(
  deployment: DeploymentRecord['deployment'],
  words: RegistryTerms,
  { isIdle }: { isIdle: boolean },
): string {
  const { phase, candidate, retiring } = deployment;
  const idle = isIdle ? '; it takes no customer jobs' : '';
  const left = inTerms(leftAt[phase], words, { candidate, retiring: retiring ?? 'nothing', idle });
  if (!isBaking(deployment)) return left;
  // "Not yet removed" would suggest a leftover: the shard is kept on purpose.
  const kept =
    phase === 'drained' ? `${retiring} is drained, alive and the rollback target.` : left;
  return `${kept} ${formatBaking(deployment)}`;
}

/** Formats the progress of a deployment for the result of a run. */
export function describeProgress({
  id,
  candidate,
  phase,
}: Pick<Deployment, 'id' | 'candidate' | 'phase'>): string {
  const progress = phase === 'done' ? 'is finished' : `is in phase ${phase}`;
  return `deployment ${id} (candidate ${candidate}) ${progress}`;
}
