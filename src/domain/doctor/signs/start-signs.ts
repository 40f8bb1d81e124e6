import { formatStatus } from '../../deployment/deployment-status.ts';
import { contradictionWithStatus } from '../../deployment/direction.ts';
import { isBefore, isReturnable } from '../../deployment/stages-and-steps.ts';
import { cannotAcceptJobs } from '../../health/service-answers.ts';
import { parameterPath } from '../../parameter-path.ts';
import type { Shard } from '../../shard.ts';
import { formatDuration } from '../../text/duration.ts';
import { deployStep, finalizeStep, forceRemovalStep, recoverStep } from '../commands.ts';
import type { Sign } from '../finding.ts';
import type { ShardState } from '../shard-state.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';
import { chosen } from './choice-signs.ts';
import { canBeProven, chooseRollbackAdvice, isOnlyPaused, isUsable } from './rollback-advice.ts';

type Signs = Readonly<Record<string, (view: StackView) => Sign | undefined>>;

/**
 * Signs that status, record and the shard that accepts jobs differ, or that no shard accepts jobs.
 */
export const startSigns = {
  status_illegible(view) {
    const status = answerOf(view.facts.status);
    if (status?.kind !== 'invalid') return undefined;
    return chosen(view, `deployment_status: ${status.reason}`);
  },
  status_lost(view) {
    const { facts, expected, accepting, record } = view;
    const status = answerOf(facts.status);
    if (status?.kind !== 'absent' || record === undefined || expected === 'none') return undefined;
    const { id, phase, retiring } = record.deployment;
    // Before the first switch, no status exists, and it may not have happened: resuming writes the
    // status.
    if (expected === 'either' && retiring === undefined) return undefined;
    const seen = `deployment_status: missing; record: deployment ${id} is in phase ${phase} and expects ${expected}; ${facts.words.registry}: ${formatAccepting(view)}`;
    if (expected === 'either' || expected === undefined || !accepting.includes(expected)) {
      // The owner may be about to write the status.
      const owner = facts.owner === undefined ? undefined : answerOf(facts.owner);
      return owner?.kind === 'alive' ? undefined : chosen(view, seen);
    }
    const value = formatStatus(facts.settings.shards, expected);
    const plan = `write ${parameterPath(facts.settings, 'deployment_status')}: ${value}`;
    return { seen, shard: expected, repair: { kind: 'write_status', active: expected, plan } };
  },
  status_edited(view) {
    const { facts, record, active, accepting } = view;
    const status = answerOf(facts.status);
    if (status === undefined || record === undefined || active === undefined) return undefined;
    const found = contradictionWithStatus({ status }, record);
    if (found === undefined) return undefined;
    const seen = `${found.reason}; ${facts.words.registry}: ${formatAccepting(view)}`;
    return chosen(view, seen, { accepting: accepting.includes(active) ? [active] : accepting });
  },
  record_lost(view) {
    const { record, active, state, other, accepting, facts } = view;
    if (record !== undefined || active === undefined) return undefined;
    const seen = `deployment_record: missing; deployment_status: ${active} is active; ${facts.words.registry}: ${formatAccepting(view)}`;
    if (!accepting.includes(active))
      return chosen(view, seen, { none: withoutRecord(view, active, seen) });
    if (state(other(active)).there === 'no') return { seen, commands: [deployStep] };
    return { seen, shard: active };
  },
  nothing_known(view) {
    const status = answerOf(view.facts.status);
    if (view.record !== undefined || status?.kind !== 'absent') return undefined;
    if (view.states.every(({ there }) => there === 'no')) return undefined;
    const seen = `deployment_status: missing; deployment_record: missing; ${view.facts.words.registry}: ${formatAccepting(view)}`;
    return chosen(view, seen);
  },
  never_deployed({ record, facts, states }) {
    const status = answerOf(facts.status);
    const isEmpty = states.every(({ there }) => there === 'no');
    if (record !== undefined || status?.kind !== 'absent' || !isEmpty) return undefined;
    return { seen: `no status, no record, no ${facts.words.registration}, no machine` };
  },
  token_ended(view) {
    const { active, facts } = view;
    if (active === undefined) return undefined;
    const { tokenEndedMs } = view.of(active);
    const waiting = hostsWithoutRunner(view, active);
    if (tokenEndedMs === undefined || waiting.length === 0) return undefined;
    const age = formatDuration(tokenEndedMs);
    return {
      seen: `Parameter Store: the token of ${active} is ${age} old; ${facts.words.registry}: no ${facts.words.manager} of ${waiting.join(', ')}`,
      shard: active,
    };
  },
  // A host that is still starting waits for something; a host with a running listener does not.
  runner_missing(view) {
    const { active, record, facts } = view;
    if (active === undefined || record?.deployment.phase !== 'done') return undefined;
    const { running } = view.state(active);
    if (facts.registrationsPer !== 'worker') return undefined;
    // Hosts without a token wait for one.
    if (view.of(active).tokenEndedMs !== undefined) return undefined;
    const deaf = hostsWithoutRunner(view, active).filter((id) => running.includes(id));
    if (deaf.length === 0) return undefined;
    const { registry, manager } = facts.words;
    return {
      seen: `host: the process of ${deaf.join(', ')} runs; ${registry}: no ${manager} of it`,
    };
  },
  promoted_closed(view) {
    const { record, accepting, facts, state } = view;
    const { phase, candidate } = record?.deployment ?? {};
    if (phase === undefined || candidate === undefined || !isReturnable(phase)) return undefined;
    if (accepting.includes(candidate)) return undefined;
    if (!isOnlyPaused(view, candidate) || !canBeProven(view, candidate)) return undefined;
    return {
      seen: `record: ${candidate} is promoted; ${facts.words.registry}: ${whyNot(state(candidate))}`,
      shard: candidate,
    };
  },
  rollback_possible(view) {
    const { record, accepting, state, of, facts } = view;
    const { candidate } = record?.deployment ?? {};
    const way = chooseRollbackAdvice(view);
    if (way === undefined || candidate === undefined) return undefined;
    const { service, running } = state(candidate);
    const { commands } = way;
    if (!accepting.includes(candidate)) {
      // A running process may still be verified.
      if (service.kind === 'unknown' && running.length > 0) return undefined;
      const why =
        running.length === 0 && way.process === 'runs'
          ? `AWS: none of its runner processes runs, but one of ${way.shard} does`
          : `${facts.words.registry} and AWS: ${whyNot(state(candidate))}`;
      return { seen: `record: ${candidate} is promoted; ${why}`, commands };
    }
    // Without host access, an unpaused runner is the only available evidence.
    const hosts = answerOf(of(candidate).hosts) ?? [];
    if (service.kind === 'proven' || hosts.length === 0) return undefined;
    if (running.length > 0 || way.process === 'may_run') return undefined;
    const processes = hosts.map(({ id, process }) => `${id}, its process is ${process}`).join('; ');
    const old = way.process === 'runs' ? 'runs' : 'is stopped and can be started';
    return {
      seen: `record: ${candidate} is promoted but not verified; host: ${processes}; the process of ${way.shard} ${old}`,
      commands,
    };
  },
  nothing_serves(view) {
    const { record, accepting, active, state, states, other, facts } = view;
    if (accepting.length > 0 || active === undefined) return undefined;
    const { phase = 'done' } = record?.deployment ?? {};
    const seen = `deployment_status: ${active} is active; ${facts.words.registry} and AWS: ${whyNot(state(active))}`;
    const alive = [active, other(active)].find((shard) => isUsable(view, shard));
    // The stages rebuild the shard anyway, faster than a broken one could be verified.
    if (phase !== 'done' && isBefore(phase, 'promoted') && alive !== active)
      return { seen, commands: [recoverStep('auto'), finalizeStep] };
    const way = chooseRollbackAdvice(view);
    // Before the check of a dead shard, which would be refused or time out.
    if (way !== undefined && !canBeProven(view, active)) return { seen, commands: way.commands };
    if (alive !== undefined && alive === active) return { seen, shard: alive };
    if (phase === 'done') return { seen, commands: [deployStep] };
    // An activation would be refused, and so would `finalize`: both require a shard that accepts
    // jobs.
    if (alive === undefined && states.every((one) => cannotBeOpened(view, one)))
      return { seen, commands: [forceRemovalStep, deployStep] };
    // `finalize` keeps checking until the shard has not responded for long enough.
    if (alive === undefined && answerOf(view.of(active).ended) !== undefined)
      return { seen, commands: [finalizeStep] };
    return { seen, shard: alive ?? active };
  },
} satisfies Signs;

function cannotBeOpened({ of }: StackView, { shard, service }: ShardState): boolean {
  return cannotAcceptJobs(service) || answerOf(of(shard).ended)?.isUnresponsive === true;
}

/** Returns the verdict's reason, or that an unpaused runner has no contact or no machine. */
export function whyNot({ service }: ReturnType<StackView['state']>): string {
  return service.kind === 'proven' ? 'no shard is verified' : service.reason;
}

/** Proposes a deployment over a disproven shard, unless the other shard has a runner in use. */
function withoutRecord({ state, other }: StackView, active: Shard, seen: string): Sign {
  const beside = other(active);
  const { registered } = state(beside);
  const isFree = registered !== 'unknown' && registered.length === 0;
  if (isFree && state(active).service.kind === 'disproven') return { seen, commands: [deployStep] };
  const start = `Start a runner process of ${active} or of ${beside} again`;
  const orRemove = `; or, if ${beside} is no longer used, remove its {registration} in {registry} and run doctor again`;
  return { seen, commands: [], byHand: `${start}${isFree ? '' : orRemove}` };
}

/**
 * Lists shards that accept jobs. An unpaused runner without newer evidence counts as `may serve`.
 */
export function formatAccepting({
  accepting,
  state,
}: Pick<StackView, 'accepting' | 'state'>): string {
  if (accepting.length === 0) return 'no shard accepts jobs';
  return accepting
    .map(
      (shard) =>
        `${shard} ${state(shard).service.kind === 'proven' ? 'accepts jobs' : 'may accept jobs'}`,
    )
    .join(' and ');
}

/** Lists hosts that lack a runner, on a shard where each worker registers its own. */
function hostsWithoutRunner({ of }: StackView, shard: Shard): readonly string[] {
  const registrations = answerOf(of(shard).registrations);
  const hosts = answerOf(of(shard).hosts);
  // An unreadable list does not prove that it is empty.
  if (registrations === undefined || hosts === undefined) return [];
  const workers = registrations.flatMap(({ managers }) => answerOf(managers) ?? []);
  if (!registrations.every(({ managers }) => answerOf(managers) !== undefined)) return [];
  return hosts.map(({ id }) => id).filter((id) => !workers.some(({ hostId }) => hostId === id));
}
