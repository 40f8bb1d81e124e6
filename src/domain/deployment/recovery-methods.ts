import type { Execution, RegistryJob } from '../registration.ts';
import type { RegistryTerms } from '../registry-terms.ts';
import type { Shard } from '../shard.ts';
import { counted } from '../text/count-text.ts';
import { describeForeignJob, type Refusal, refuseCandidateRemoval } from './guards/guards.ts';
import { broughtChange, describeNoChange } from './last-apply.ts';
import { type DeploymentRecord, shardEntry } from './record.ts';
import { isBefore, isDrained } from './stages-and-steps.ts';

/** The ladder, easiest first. */
export const recoveryMethods = ['rerun', 'cleanup', 'replace', 'terminate'] as const;
export type RecoveryMethod = (typeof recoveryMethods)[number];

/** A job that runs on the shard and that this token is not shown. */
export type HiddenJob = 'no' | 'yes' | 'unknown';

/** No word is no idle word: then every host has to speak, or there is nothing that could run a job. */
export function judgeHiddenJob(facts: {
  /** Of each registration; `listed` where its list of jobs is known to be whole. */
  readonly executions: readonly (Execution | 'listed')[];
  /** Customers' jobs went to one that is gone: the registry says nothing of those that run on. */
  readonly lostRecord: boolean;
  readonly showsJobs: boolean;
  readonly contacted: boolean;
  readonly hostsSpeak: boolean;
  readonly machines: readonly string[] | 'unknown';
}): HiddenJob {
  const { executions, lostRecord, showsJobs, contacted, hostsSpeak, machines } = facts;
  if (executions.includes('active') && !showsJobs) return 'yes';
  const isSaid = !lostRecord && (!executions.includes('unknown') || !contacted);
  if (isSaid || hostsSpeak) return 'no';
  return machines !== 'unknown' && machines.length === 0 ? 'no' : 'unknown';
}

export interface RecoveryFacts {
  readonly words: RegistryTerms;
  readonly record: DeploymentRecord;
  readonly shard: Shard;
  readonly active: Shard | undefined;
  /** Whether customers' jobs are kept from the shard: paused, or without a production tag. */
  readonly quarantined: boolean;
  readonly contacted: boolean;
  /** Without the canary. */
  readonly jobs: readonly RegistryJob[];
  /** Of the shard's quarantine: who runs there has asked for one of them. */
  readonly tags: readonly string[];
  readonly hiddenJob: HiddenJob;
  readonly hostJobs: number | 'unknown';
  readonly machines: readonly string[] | 'unknown';
  /** A person has named the machine by its id. */
  readonly isMachineNamed?: boolean;
  readonly managers: number;
  readonly registrationGone: boolean;
  /** A manager uses a token that no machine of the shard can read any more. */
  readonly tokenLost: boolean;
  /** Since the last apply a machine was started, or what is missing is mended by provision. */
  readonly somethingHappened: string | undefined;
  /** A cause that neither waiting nor an apply mends. */
  readonly lastingCause: string | undefined;
  readonly knowsAddresses: boolean;
  /** A person has said that nothing serves, and takes what is left. */
  readonly forceWhenNothingServes: boolean;
  /** What the CI's last two provision jobs of this deployment ended with, newest first. */
  readonly lastJobs: readonly ('failed' | 'success')[] | 'unknown';
}

export type MethodJudgement =
  | { readonly rung: RecoveryMethod; readonly kind: 'can_help'; readonly reason: string }
  | { readonly rung: RecoveryMethod; readonly kind: 'cannot_help'; readonly reason: string };

/** What holds for every rung that takes something away. Empty for yes. */
export function refuseMethod(facts: RecoveryFacts): Refusal {
  const { record, shard, active, jobs, tags, hostJobs, words } = facts;
  const quarantined = facts.quarantined || facts.forceWhenNothingServes;
  const { phase } = record.deployment;
  if (active === shard) return `${shard} is the active shard`;
  if (jobs[0] !== undefined) return describeForeignJob(jobs[0], { shard, tags, words });
  if (facts.hiddenJob === 'yes')
    return `${words.registry} says that the ${words.registration} of ${shard} executes a job that this token cannot see`;
  if (typeof hostJobs === 'number' && hostJobs > 0)
    return `the host of ${shard} says that it runs ${counted(hostJobs, 'job')}`;
  if (facts.hiddenJob === 'unknown') return whyUnsaid(facts);
  if (!quarantined && !isDrained(phase)) return `${shard} is neither in quarantine nor drained`;
  return undefined;
}

export function whyUnsaid({
  registrationGone,
  shard,
  words,
}: Pick<RecoveryFacts, 'registrationGone' | 'shard' | 'words'>): string {
  return registrationGone
    ? `the ${words.record} of ${shard} is gone and no host of it answers: nobody says whether a job still runs there`
    : `nobody says whether the ${words.registration} of ${shard} executes a job that this token cannot see: ${words.registry} does not, and no host of it answers`;
}

/** Running again what changed nothing and found the same is no help. */
function refuseRerun({
  record,
  shard,
  jobs,
  tags,
  registrationGone,
  somethingHappened,
  words,
}: RecoveryFacts): Refusal {
  const { lastApply, unhealthyInARow } = shardEntry(record, shard);
  const { phase } = record.deployment;
  // Provision would refuse as well: it never builds anew where a customer's job runs.
  if (jobs[0] !== undefined && phase !== 'retreating' && isBefore(phase, 'promoting'))
    return describeForeignJob(jobs[0], { shard, tags, words });
  if (registrationGone)
    return `the ${words.record} of ${shard} is gone, and its ${words.managers} keep the token that died with it`;
  if (unhealthyInARow === 0 || lastApply === undefined) return undefined;
  if (broughtChange(lastApply) || somethingHappened !== undefined) return undefined;
  return `the last apply of ${shard} ${describeNoChange(lastApply)}, it was found unhealthy, and nothing happened since`;
}

/** Rule 6, with what the CI itself says of the last two healthchecks. */
function refuseCleanup(facts: RecoveryFacts): Refusal {
  const { record, shard, contacted, lastJobs, tokenLost } = facts;
  const rule6 = refuseCandidateRemoval(facts);
  if (rule6 !== undefined || !contacted || tokenLost) return rule6;
  const { unhealthyInARow } = shardEntry(record, shard);
  if (lastJobs === 'unknown' || lastJobs.slice(0, 2).every((end) => end === 'failed'))
    return undefined;
  return `the record says unhealthy ${unhealthyInARow} times in a row, and the CI's last two provision jobs ended with ${lastJobs.slice(0, 2).join(' and ')}`;
}

/** Each rung with why it can or cannot help; `auto` takes the first that can. */
export function judgeMethods(
  facts: RecoveryFacts,
  chosenBy: 'person' | 'auto',
): readonly MethodJudgement[] {
  const judge = (rung: RecoveryMethod, doubt: Refusal): MethodJudgement => {
    const refusal = refusals[rung](facts) ?? doubt;
    return refusal === undefined
      ? { rung, kind: 'can_help', reason: helps[rung](facts) }
      : { rung, kind: 'cannot_help', reason: refusal };
  };
  const [rerun, ...others] = recoveryMethods;
  const judged = others.map((rung) => judge(rung, undefined));
  if (chosenBy === 'person') return [judge(rerun, undefined), ...judged];
  // With nothing else to take, what is unlikely to help is tried: the second verdict opens cleanup.
  const isOnlyOne = judged.every(({ kind }) => kind === 'cannot_help');
  return [
    judge(rerun, facts.lastingCause ?? (isOnlyOne ? undefined : doubtRerun(facts))),
    ...judged,
  ];
}

/** A person may know that the cause is gone; without that a whole healthcheck would be waited out. */
function doubtRerun({ record, shard, somethingHappened }: RecoveryFacts): Refusal {
  const { unhealthyInARow } = shardEntry(record, shard);
  if (unhealthyInARow === 0 || somethingHappened !== undefined) return undefined;
  return `${shard} was found unhealthy since its last apply, and nothing happened since`;
}

/** A person's word stands in for rule 6, and the drain waits for the jobs. */
const refusals: Readonly<Record<RecoveryMethod, (facts: RecoveryFacts) => Refusal>> = {
  rerun: (facts) => refuseWithoutToken(facts) ?? refuseRerun(facts),
  cleanup: (facts) =>
    facts.forceWhenNothingServes
      ? refuseMethod({ ...facts, jobs: [], hiddenJob: 'no', hostJobs: 0 })
      : (refuseMethod(facts) ?? refuseCleanup(facts)),
  replace: (facts) => refuseMethod(facts) ?? refuseWithoutToken(facts) ?? refuseReplace(facts),
  terminate: (facts) =>
    refuseMethod(withWordOfOperator(facts)) ?? refuseWithoutToken(facts) ?? refuseInstances(facts),
};

/** Whatever would be built or looked at, provision finds that token lost again. */
function refuseWithoutToken({ tokenLost, shard, words }: RecoveryFacts): Refusal {
  return tokenLost
    ? `the token that a ${words.manager} of ${shard} uses is lost, and no other machine could start with it`
    : undefined;
}

/**
 * Of a shard that takes no new job, and of which nobody says whether one runs: who names its machine has
 * looked there. What is seen to run is refused all the same.
 */
function withWordOfOperator(facts: RecoveryFacts): RecoveryFacts {
  const { record, hiddenJob, isMachineNamed, registrationGone } = facts;
  const drains = registrationGone || !isBefore(record.deployment.phase, 'draining');
  return drains && hiddenJob === 'unknown' && isMachineNamed === true
    ? { ...facts, hiddenJob: 'no' }
    : facts;
}

function refuseReplace(facts: RecoveryFacts): Refusal {
  const { record, shard, registrationGone, knowsAddresses, words } = facts;
  if (!knowsAddresses) return 'the infrastructure driver knows no addresses';
  // An apply is the candidate's, before any customer's job may run there: its phase is written first.
  if (shard !== record.deployment.candidate)
    return `${shard} is retired by this deployment, and nothing of it is built anew`;
  if (shardEntry(record, shard).productionTag)
    return `${shard} was given production ${words.tag}s, and nothing of it is built anew from then on`;
  if (isBefore(record.deployment.phase, 'applied')) return `${shard} is not built yet`;
  if (registrationGone) return `a new machine of ${shard} would have no ${words.record}`;
  return undefined;
}

function refuseInstances({ machines, shard }: RecoveryFacts): Refusal {
  if (machines === 'unknown') return `the instances of ${shard} cannot be listed`;
  if (machines.length === 0) return `no instance has the Name tag of ${shard}`;
  if (machines.length > 1)
    return `${machines.length} instances have the Name tag of ${shard}: ${machines.join(', ')}; --instance names one`;
  return undefined;
}

const helps: Readonly<Record<RecoveryMethod, (facts: RecoveryFacts) => string>> = {
  rerun: ({ record, shard, somethingHappened }) => {
    const { unhealthyInARow } = shardEntry(record, shard);
    if (unhealthyInARow === 0) return `${shard} was not found unhealthy since its last change`;
    return somethingHappened ?? `the last apply of ${shard} changed something`;
  },
  cleanup: ({ forceWhenNothingServes, contacted, tokenLost, shard, words }) => {
    if (forceWhenNothingServes)
      return `no shard serves, and ${shard} is drained before it is taken away`;
    if (!contacted) return `no ${words.manager} of ${shard} ever contacted ${words.registry}`;
    return tokenLost
      ? `the token of ${shard} is lost, and it runs no job`
      : `${shard} was found unhealthy twice in a row and runs no job`;
  },
  replace: ({ shard }) => `the machine of ${shard} is built anew, and everything else stays`,
  terminate: ({ machines, shard }) =>
    `${machines === 'unknown' ? '' : `${machines[0]} is `}the one instance of ${shard}; the next apply builds another`,
};
