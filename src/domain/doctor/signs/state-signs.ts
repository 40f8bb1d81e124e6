import { resumeHint } from '../../deployment/lock/lock-verdict.ts';
import { isBefore } from '../../deployment/stages-and-steps.ts';
import { parameterPath } from '../../parameter-path.ts';
import { renewalsOf } from '../../text/credential-renewal.ts';
import { finalizeStep, provisionStep } from '../commands.ts';
import type { Sign } from '../finding.ts';
import {
  answerOf,
  brokenRecordOf,
  lockOf,
  type Read,
  type StackFacts,
  type Trouble,
} from '../stack-facts.ts';
import type { StackView } from '../view.ts';

/** Texts of `source_silent` if every failed source responded, but not as documented. */
const unexpected = {
  title: '{registry} or AWS returned an unexpected response',
  because: 'with an unreadable response, the state is unknown and no stage changes anything',
} as const;

type Signs = Readonly<Record<string, (view: StackView) => Sign | undefined>>;

/** Signs that come before any conclusion: hold, missing responses, lock and its holder. */
export const stateSigns = {
  held({ facts }) {
    const hold = answerOf(facts.hold);
    return hold === undefined
      ? undefined
      : { seen: `deployment_hold: ${hold.who} since ${hold.since}: ${hold.why}` };
  },
  credentials_refused({ facts }) {
    const sign = findTrouble(facts, 'refused', 'ended');
    if (sign === undefined) return undefined;
    const refused = troublesOf(facts).filter(({ why }) => why === 'refused' || why === 'ended');
    return { ...sign, byHand: renewalsOf(refused.map(({ source }) => source)) };
  },
  permission_missing: ({ facts }) => findTrouble(facts, 'denied'),
  source_silent({ facts }) {
    const sign = findTrouble(facts, 'silent', 'unexpected');
    if (sign === undefined) return undefined;
    const troubles = troublesOf(facts).filter(
      ({ why }) => why === 'silent' || why === 'unexpected',
    );
    const [fix] = troubles.flatMap((one) => one.fix ?? []);
    const texts = troubles.every(({ why }) => why === 'unexpected') ? unexpected : {};
    return { ...sign, ...texts, ...(fix === undefined ? {} : { byHand: fix }) };
  },
  record_newer: ({ facts }) => broken(facts, 'newer'),
  record_illegible: ({ facts }) => broken(facts, 'invalid'),
  lock_alive: (view) => lock(view, 'alive'),
  lock_unproven: (view) => lock(view, 'unknown'),
  lock_illegible: (view) => lock(view, 'illegible'),
  runs_on_itself({ facts, record, of }) {
    if (record === undefined || facts.ownRegistration === undefined) return undefined;
    const { phase, candidate, retiring } = record.deployment;
    const touched = isBefore(phase, 'promoted') ? candidate : retiring;
    if (phase === 'done' || touched === undefined) return undefined;
    const ids = (answerOf(of(touched).registrations) ?? []).map(({ id }) => id as string);
    if (!ids.includes(facts.ownRegistration)) return undefined;
    const seen = `this job runs on runner ${facts.ownRegistration} of ${touched}; the deployment is in phase ${phase}`;
    return isBefore(phase, 'promoted')
      ? { seen, commands: [provisionStep, finalizeStep] }
      : { seen };
  },
  deployment_running({ facts, record }) {
    const owner = facts.owner === undefined ? undefined : answerOf(facts.owner);
    if (record === undefined || owner?.kind !== 'alive') return undefined;
    const { id, phase } = record.deployment;
    return { seen: `record: deployment ${id} is in phase ${phase}; CI: ${owner.reason}` };
  },
  lock_stale({ facts }) {
    const found = answerOf(lockOf(facts));
    if (found?.kind !== 'stale') return undefined;
    const plan = `release ${parameterPath(facts.settings, 'deployment_lock')}: ${found.reason}`;
    return {
      seen: `deployment_lock: ${found.reason}`,
      repair: { kind: 'release_lock', plan },
    };
  },
} satisfies Signs;

/** Lists the sources without a response, in the order of their queries. */
export function troublesOf(facts: StackFacts): readonly Trouble[] {
  const { status, record, hold, owner } = facts;
  const reads: Read<unknown>[] = [status, record, hold, lockOf(facts)];
  if (owner !== undefined) reads.push(owner);
  for (const shard of facts.shards) {
    const { registrations, instances, hosts, infrastructure, known, token, endings } = shard;
    reads.push(registrations, instances, hosts, infrastructure, known);
    reads.push(...[token, endings].filter((read) => read !== undefined));
    for (const one of answerOf(registrations) ?? []) reads.push(one.managers, one.jobs);
  }
  const all = reads.flatMap((read) => (read.kind === 'unknown' ? [read.trouble] : []));
  return all.filter(
    (one, index) =>
      all.findIndex(({ source, reason }) => source === one.source && reason === one.reason) ===
      index,
  );
}

function findTrouble(facts: StackFacts, ...kinds: readonly Trouble['why'][]): Sign | undefined {
  const troubles = troublesOf(facts).filter(({ why }) => kinds.includes(why));
  if (troubles.length === 0) return undefined;
  const reasons = [...new Set(troubles.map(({ reason }) => reason))];
  return { seen: reasons.map((reason) => formatReason(reason, troubles)).join('; ') };
}

/** Prints a reason that several sources share once, before their names. */
function formatReason(reason: string, troubles: readonly Trouble[]): string {
  const sources = troubles.filter((one) => one.reason === reason).map(({ source }) => source);
  const [only] = sources;
  return sources.length === 1 ? `${only}: ${reason}` : `${reason} (${sources.join(', ')})`;
}

function broken(facts: StackFacts, kind: 'newer' | 'invalid'): Sign | undefined {
  const found = brokenRecordOf(facts);
  if (found?.kind !== kind) return undefined;
  const id = parameterPath(facts.settings, 'deployment_record');
  return { seen: `deployment_record: ${found.reason}`, id };
}

function lock({ facts }: StackView, kind: 'alive' | 'unknown' | 'illegible'): Sign | undefined {
  const found = answerOf(lockOf(facts));
  if (found?.kind !== kind) return undefined;
  const { reason, stoppedPid } = found;
  return {
    seen: `deployment_lock: ${reason}`,
    ...(stoppedPid === undefined ? {} : { byHand: `Resume that run: ${resumeHint(stoppedPid)}` }),
  };
}
