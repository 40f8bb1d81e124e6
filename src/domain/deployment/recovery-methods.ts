import type { Execution } from '../registration.ts';
import { describeForeignJob, type Refusal } from './guards/guards.ts';
import { mayRemove } from './guards/removal-rules.ts';
import type { MethodEvidence, RemovalSubject } from './guards/removal-snapshot.ts';
import { broughtChange, describeNoChange } from './last-apply.ts';
import { shardEntry } from './record.ts';
import { isBefore } from './stages-and-steps.ts';

/** The ladder, easiest first. */
export const recoveryMethods = ['rerun', 'cleanup', 'replace', 'terminate'] as const;
export type RecoveryMethod = (typeof recoveryMethods)[number];

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
}): MethodEvidence['hiddenJob'] {
  const { executions, lostRecord, showsJobs, contacted, hostsSpeak, machines } = facts;
  if (executions.includes('active') && !showsJobs) return 'yes';
  const isReported = !lostRecord && (!executions.includes('unknown') || !contacted);
  if (isReported || hostsSpeak) return 'no';
  return machines !== 'unknown' && machines.length === 0 ? 'no' : 'unknown';
}

export interface RecoveryFacts extends RemovalSubject, Omit<MethodEvidence, 'act'> {
  readonly machines: readonly string[] | 'unknown';
  readonly managers: number;
  /** Since the last apply a machine was started, or what is missing is mended by provision. */
  readonly somethingHappened: string | undefined;
  /** A cause that neither waiting nor an apply mends. */
  readonly lastingCause: string | undefined;
  readonly knowsAddresses: boolean;
}

export type MethodVerdict =
  | { readonly method: RecoveryMethod; readonly kind: 'can_help'; readonly reason: string }
  | { readonly method: RecoveryMethod; readonly kind: 'cannot_help'; readonly reason: string };

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

/** Each rung with why it can or cannot help; `auto` takes the first that can. */
export function judgeMethods(
  facts: RecoveryFacts,
  chosenBy: 'person' | 'auto',
): readonly MethodVerdict[] {
  const judge = (method: RecoveryMethod, doubt: Refusal): MethodVerdict => {
    const refusal = refusals[method](facts) ?? doubt;
    return refusal === undefined
      ? { method, kind: 'can_help', reason: helps[method](facts) }
      : { method, kind: 'cannot_help', reason: refusal };
  };
  const [rerun, ...others] = recoveryMethods;
  const judged = others.map((method) => judge(method, undefined));
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

const refusals: Readonly<Record<RecoveryMethod, (facts: RecoveryFacts) => Refusal>> = {
  rerun: (facts) => refuseWithoutToken(facts) ?? refuseRerun(facts),
  cleanup: (facts) => refuseRemoval('cleanup', facts),
  replace: (facts) =>
    refuseRemoval('replace', facts) ?? refuseWithoutToken(facts) ?? refuseReplace(facts),
  terminate: (facts) =>
    refuseRemoval('terminate', facts) ?? refuseWithoutToken(facts) ?? refuseInstances(facts),
};

function refuseRemoval(act: MethodEvidence['act'], facts: RecoveryFacts): Refusal {
  const verdict = mayRemove({ act, ...facts });
  return verdict.may ? undefined : verdict.reason;
}

/** Whatever would be built or looked at, provision finds that token lost again. */
function refuseWithoutToken({ tokenLost, shard, words }: RecoveryFacts): Refusal {
  return tokenLost
    ? `the token that a ${words.manager} of ${shard} uses is lost, and no other machine could start with it`
    : undefined;
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
