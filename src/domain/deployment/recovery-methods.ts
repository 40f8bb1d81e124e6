import type { Execution } from '../registration.ts';
import { describeForeignJob, type Refusal } from './guards/guards.ts';
import { mayRemove } from './guards/removal-rules.ts';
import type { MethodEvidence, RemovalSubject } from './guards/removal-snapshot.ts';
import { broughtChange, describeNoChange } from './last-apply.ts';
import { shardEntry } from './record.ts';
import { isBefore } from './stages-and-steps.ts';

/** Recovery methods, easiest first. */
export const recoveryMethods = ['rerun', 'cleanup', 'replace', 'terminate'] as const;
export type RecoveryMethod = (typeof recoveryMethods)[number];

/**
 * Decides whether a hidden job may run. Without a report of the registry, every host must report,
 * or no machine may exist.
 */
export function judgeHiddenJob(facts: {
  /** One entry per runner; `listed` if its job list is known to be complete. */
  readonly executions: readonly (Execution | 'listed')[];
  /**
   * Whether a runner with customer jobs no longer exists: the registry does not report its running
   * jobs.
   */
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
  /** A machine started since the last apply, or a missing part that provision fixes. */
  readonly somethingHappened: string | undefined;
  /** Cause that neither waiting nor an apply fixes. */
  readonly lastingCause: string | undefined;
  readonly knowsAddresses: boolean;
}

export type MethodVerdict =
  | { readonly method: RecoveryMethod; readonly kind: 'can_help'; readonly reason: string }
  | { readonly method: RecoveryMethod; readonly kind: 'cannot_help'; readonly reason: string };

/** Refuses a rerun if the last one changed nothing and its healthcheck failed. */
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
  // `provision` would refuse as well: it never rebuilds a shard that runs a customer job.
  if (jobs[0] !== undefined && phase !== 'retreating' && isBefore(phase, 'promoting'))
    return describeForeignJob(jobs[0], { shard, tags, words });
  if (registrationGone)
    return `the ${words.record} of ${shard} no longer exists, and its ${words.managers} keep the invalid token`;
  if (unhealthyInARow === 0 || lastApply === undefined) return undefined;
  if (broughtChange(lastApply) || somethingHappened !== undefined) return undefined;
  return `${shard} was found unhealthy after its last apply, which ${describeNoChange(lastApply)}`;
}

/**
 * Lists each method with the reason why it can or cannot help; `auto` takes the first that can.
 */
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
  const verdicts = others.map((method) => judge(method, undefined));
  if (chosenBy === 'person') return [judge(rerun, undefined), ...verdicts];
  // Without another method, an unlikely one is tried: its second verdict permits `cleanup`.
  const isOnlyOne = verdicts.every(({ kind }) => kind === 'cannot_help');
  return [
    judge(rerun, facts.lastingCause ?? (isOnlyOne ? undefined : doubtRerun(facts))),
    ...verdicts,
  ];
}

/**
 * Advises `auto` against a rerun that would wait for a whole healthcheck. An operator may know that
 * the cause is gone.
 */
function doubtRerun({ record, shard, somethingHappened }: RecoveryFacts): Refusal {
  const { unhealthyInARow } = shardEntry(record, shard);
  if (unhealthyInARow === 0 || somethingHappened !== undefined) return undefined;
  return `${shard} was found unhealthy after its last apply, and nothing has changed since`;
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

/** Refuses any method that needs a lost token: `provision` would fail again. */
function refuseWithoutToken({ tokenLost, shard, words }: RecoveryFacts): Refusal {
  return tokenLost
    ? `the token that a ${words.manager} of ${shard} uses is lost, so no other machine could start with it`
    : undefined;
}

function refuseReplace(facts: RecoveryFacts): Refusal {
  const { record, shard, registrationGone, knowsAddresses, words } = facts;
  if (!knowsAddresses) return 'the infrastructure driver supports no addresses';
  // Only a candidate is applied, before customer jobs may run there: its phase is written first.
  if (shard !== record.deployment.candidate)
    return `this deployment retires ${shard}, so ${shard} is not rebuilt`;
  if (shardEntry(record, shard).productionTag)
    return `${shard} has received production ${words.tag}s, and a shard with these is not rebuilt`;
  if (isBefore(record.deployment.phase, 'applied')) return `${shard} is not built yet`;
  if (registrationGone) return `a new machine of ${shard} would have no ${words.record}`;
  return undefined;
}

function refuseInstances({ machines, shard }: RecoveryFacts): Refusal {
  if (machines === 'unknown') return `the instances of ${shard} cannot be listed`;
  if (machines.length === 0) return `no instance has the Name tag of ${shard}`;
  if (machines.length > 1)
    return `${machines.length} instances have the Name tag of ${shard}: ${machines.join(', ')}; name one with --instance`;
  return undefined;
}

const helps: Readonly<Record<RecoveryMethod, (facts: RecoveryFacts) => string>> = {
  rerun: ({ record, shard, somethingHappened }) => {
    const { unhealthyInARow } = shardEntry(record, shard);
    if (unhealthyInARow === 0) return `${shard} has not been found unhealthy since its last change`;
    return somethingHappened ?? `the last apply of ${shard} changed something`;
  },
  cleanup: ({ forceWhenNoneAccepts, contacted, tokenLost, shard, words }) => {
    if (forceWhenNoneAccepts)
      return `no shard accepts jobs, and ${shard} is drained before its removal`;
    if (!contacted) return `no ${words.manager} of ${shard} ever contacted ${words.registry}`;
    return tokenLost
      ? `the token of ${shard} is lost, and it runs no job`
      : `${shard} was found unhealthy twice in a row and runs no job`;
  },
  replace: ({ shard }) => `the machine of ${shard} is rebuilt, and everything else stays`,
  terminate: ({ machines, shard }) =>
    `${machines === 'unknown' ? '' : `${machines[0]} is `}the only instance of ${shard}; the next apply creates another`,
};
