import { formatBaking, isBaking } from '../bake/bake-note.ts';
import { endRegistryOnly } from '../drain/registry-only.ts';
import type { Service } from '../health/service-verdict.ts';
import type { RegistryJob } from '../registration.ts';
import { inTerms, type RegistryTerms } from '../registry-terms.ts';
import type { Shard, ShardPair } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import { type Deployment, type DeploymentRecord, expectedActive } from './record.ts';
import { isBefore, isReturnable, leftAt } from './stages-and-steps.ts';

/** Everything that the line is told from, each as far as it could be read. */
export interface SituationFacts {
  readonly shards: ShardPair;
  readonly status: Status | { readonly kind: 'unread'; readonly reason: string };
  service(shard: Shard): Service;
  readonly deployment: Deployment | 'none' | 'unread';
  /** Customers' jobs on the `watchedShard`. */
  readonly customers: readonly RegistryJob[];
  /** Jobs on a draining shard that the registry alone lists; absent if not queried. */
  readonly registryOnly?: readonly RegistryJob[];
  /** Whether the candidate is known to have no machine. */
  readonly machineless?: boolean;
  readonly words: RegistryTerms;
}

/**
 * Whose customers' jobs are told: of a candidate that is to take none, which has asked for its tag; of a
 * retiring shard, those that are left before its drain, which tells of them itself.
 */
export function watchedShard(deployment: Deployment | undefined): Shard | undefined {
  if (deployment === undefined || deployment.phase === 'done') return undefined;
  const { phase, candidate, retiring } = deployment;
  if (isBefore(phase, 'promoting')) return candidate;
  return phase === 'promoted' ? retiring : undefined;
}

/**
 * The line that a person needs at three in the morning: which shard serves, what proves it, what was
 * left behind. No half of it says what another one denies.
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
          : 'Which shard is active is not known: deployment_status is gone.',
        ...all,
      ];
    default:
      return [`Which shard is active is not known: ${status.reason}.`, ...all];
  }
}

/** Before the first promotion no status is expected. */
function isBeforeAny(deployment: SituationFacts['deployment']): boolean {
  return typeof deployment !== 'string' && expectedActive(deployment) === 'none';
}

function formatActive(active: Shard, service: Service): string {
  switch (service.kind) {
    case 'proven':
      return `${active} serves jobs: ${service.reason}.`;
    case 'closed':
      return `${active} is active and takes no job: ${service.reason}.`;
    case 'disproven':
      return `${active} is active and cannot serve: ${service.reason}.`;
    case 'unknown':
      return service.open
        ? `${active} is active, and it is not proven to serve: ${service.reason}.`
        : `${active} is active, and whether it serves is not known: ${service.reason}.`;
  }
}

/** Of a shard that is not active, only what takes customers' jobs is said, or may. */
function formatInactive(
  { service, deployment }: SituationFacts,
  shard: Shard,
  as: 'beside' | 'alone',
): readonly string[] {
  const judged = service(shard);
  if (judged.kind === 'proven')
    return [`${shard} serves jobs${as === 'beside' ? ', too' : ''}: ${judged.reason}.`];
  if (judged.kind !== 'unknown') return [];
  if (judged.open) return [`${shard} may serve jobs: ${judged.reason}.`];
  // Who cannot be asked is said once, and not of a shard that may not exist.
  const isKnown = typeof deployment !== 'string' && deployment.phase !== 'done';
  return isKnown ? [`Whether ${shard} takes jobs is not known.`] : [];
}

function formatRest(facts: SituationFacts): readonly string[] {
  const { deployment, customers } = facts;
  if (deployment === 'none') return ['No deployment is recorded.'];
  if (deployment === 'unread') return ['What is recorded of its deployment could not be read.'];
  const isEarly = deployment.phase !== 'done' && isBefore(deployment.phase, 'promoting');
  const { candidate } = deployment;
  const rule = isOpen(facts.service(candidate)) ? '' : ", which is to take no customer's job";
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
  const [job] = registryOnly;
  if (job === undefined || retiring === undefined) return [];
  const beyond = registryOnly.length > 1 ? ` and ${registryOnly.length - 1} more` : '';
  return [
    `Only ${registry} lists job ${job.id} "${job.name}"${beyond}; no host of ${retiring} runs a job. ${endRegistryOnly(registryOnly, { registry })}.`,
  ];
}

/** Somebody has closed it before its drain, which would say so otherwise. */
function formatPaused(
  { service, status, customers }: SituationFacts,
  { phase, retiring }: Deployment,
): readonly string[] {
  if (phase !== 'promoted' || retiring === undefined) return [];
  const judged = service(retiring);
  if (judged.kind !== 'closed' || judged.absent === true) return [];
  // It is said of the active one already.
  const isTold = status.kind === 'known' && status.active === retiring;
  const beyond = customers.length - mostJobs;
  return [
    ...(isTold ? [] : [`${retiring} takes no new job: ${judged.reason}.`]),
    ...customers.slice(0, mostJobs).map((job) => `${formatJob(job, retiring)}.`),
    ...(beyond > 0 ? [`${beyond} more run on ${retiring}.`] : []),
  ];
}

/** Of jobs that are where they may be, how many are named. */
const mostJobs = 3;

function formatJob({ id, name, project, status }: RegistryJob, shard: Shard): string {
  return `Job ${id} "${name}" of ${project} is ${status} on ${shard}`;
}

/** What the record says is left, as far as nothing that was seen denies it. */
function formatPhase(
  { service, customers, machineless, words }: SituationFacts,
  deployment: Deployment,
): string {
  const { phase, candidate, retiring } = deployment;
  const built = service(candidate);
  if (phase !== 'done' && isBefore(phase, 'promoting')) {
    if (isOpen(built)) return `${candidate} is built and not in quarantine.`;
    if (built.kind === 'disproven' && built.open === true)
      return `${candidate} is not in quarantine, and cannot serve: ${built.reason}.`;
    if (!isBefore(phase, 'applied') && machineless === true)
      return `${candidate} was built and has no machine; it takes no customer job.`;
  }
  const takesNoNewJob = phase !== 'promoted' && isReturnable(phase);
  if (takesNoNewJob && retiring !== undefined && isOpen(service(retiring))) {
    const since = phase === 'draining' ? `still ${words.unpaused}` : `${words.unpaused} again`;
    return `${retiring} is to take no new job, and its ${words.registration} is ${since}.`;
  }
  const isIdle = customers.length === 0 && built.kind !== 'unknown';
  const phaseText = describePhase(deployment, words, { isIdle });
  // "In quarantine" is then what was done last, and not what is known.
  const isRecorded = phaseText !== '' && built.kind === 'unknown' && isBefore(phase, 'promoting');
  return isRecorded ? `By the record ${phaseText}` : phaseText;
}

function isOpen(service: Service): boolean {
  return service.kind === 'proven' || (service.kind === 'unknown' && service.open);
}

/**
 * What an unfinished deployment has left so far, for the line that says where things stand.
 * `isIdle`: nothing that was seen denies that its candidate runs no customer's job.
 */
function describePhase(
  deployment: DeploymentRecord['deployment'],
  words: RegistryTerms,
  { isIdle }: { isIdle: boolean },
): string {
  const { phase, candidate, retiring } = deployment;
  const idle = isIdle ? '; it takes no customer job' : '';
  const left = inTerms(leftAt[phase], words, { candidate, retiring: retiring ?? 'nothing', idle });
  if (!isBaking(deployment)) return left;
  // "Not yet removed" would read as left behind: it is kept on purpose.
  const kept = phase === 'drained' ? `${retiring} is drained, alive and the way back.` : left;
  return `${kept} ${formatBaking(deployment)}`;
}
