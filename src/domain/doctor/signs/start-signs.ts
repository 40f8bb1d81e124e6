import { formatStatus } from '../../deployment/deployment-status.ts';
import { contradictionWithStatus } from '../../deployment/direction.ts';
import { isBefore, isReturnable } from '../../deployment/stages-and-steps.ts';
import { cannotServe } from '../../health/service-answers.ts';
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

/** Where status, record and what serves do not name the same shard, or none serves. */
export const startSigns = {
  status_illegible(view) {
    const status = answerOf(view.facts.status);
    if (status?.kind !== 'invalid') return undefined;
    return chosen(view, `deployment_status: ${status.reason}`);
  },
  status_lost(view) {
    const { facts, expected, serving, record } = view;
    const status = answerOf(facts.status);
    if (status?.kind !== 'absent' || record === undefined || expected === 'none') return undefined;
    const { id, phase, retiring } = record.deployment;
    // There was none before the switch, and it may not have come to that: going on writes it.
    if (expected === 'either' && retiring === undefined) return undefined;
    const seen = `deployment_status: gone; record: deployment ${id} is ${phase} and expects ${expected}; ${facts.words.registry}: ${formatServing(view)}`;
    if (expected === 'either' || expected === undefined || !serving.includes(expected)) {
      // It may be about to be written.
      const owner = facts.owner === undefined ? undefined : answerOf(facts.owner);
      return owner?.kind === 'alive' ? undefined : chosen(view, seen);
    }
    const value = formatStatus(facts.settings.shards, expected);
    const plan = `write ${parameterPath(facts.settings, 'deployment_status')}: ${value}`;
    return { seen, shard: expected, repair: { kind: 'write_status', active: expected, plan } };
  },
  status_edited(view) {
    const { facts, record, active, serving } = view;
    const status = answerOf(facts.status);
    if (status === undefined || record === undefined || active === undefined) return undefined;
    const found = contradictionWithStatus({ status }, record);
    if (found === undefined) return undefined;
    const seen = `${found.reason}; ${facts.words.registry}: ${formatServing(view)}`;
    return chosen(view, seen, { serving: serving.includes(active) ? [active] : serving });
  },
  record_lost(view) {
    const { record, active, state, other, serving, facts } = view;
    if (record !== undefined || active === undefined) return undefined;
    const seen = `deployment_record: gone; deployment_status: ${active} is active; ${facts.words.registry}: ${formatServing(view)}`;
    if (!serving.includes(active))
      return chosen(view, seen, { none: withoutRecord(view, active, seen) });
    if (state(other(active)).there === 'no') return { seen, commands: [deployStep] };
    return { seen, shard: active };
  },
  nothing_known(view) {
    const status = answerOf(view.facts.status);
    if (view.record !== undefined || status?.kind !== 'absent') return undefined;
    if (view.states.every(({ there }) => there === 'no')) return undefined;
    const seen = `deployment_status: gone; deployment_record: gone; ${view.facts.words.registry}: ${formatServing(view)}`;
    return chosen(view, seen);
  },
  never_deployed({ record, facts, states }) {
    const status = answerOf(facts.status);
    const isEmpty = states.every(({ there }) => there === 'no');
    if (record !== undefined || status?.kind !== 'absent' || !isEmpty) return undefined;
    return { seen: 'no status, no record, no registration, no machine' };
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
  // A host that still prepares itself waits for something; one whose listener runs is beyond that.
  runner_missing(view) {
    const { active, record, facts } = view;
    if (active === undefined || record?.deployment.phase !== 'done') return undefined;
    const { running } = view.state(active);
    if (facts.registrationsPer !== 'worker') return undefined;
    // Whoever has no token waits for one.
    if (view.of(active).tokenEndedMs !== undefined) return undefined;
    const deaf = hostsWithoutRunner(view, active).filter((id) => running.includes(id));
    if (deaf.length === 0) return undefined;
    const { registry, manager } = facts.words;
    return {
      seen: `host: the process of ${deaf.join(', ')} runs; ${registry}: no ${manager} of it`,
    };
  },
  promoted_closed(view) {
    const { record, serving, facts, state } = view;
    const { phase, candidate } = record?.deployment ?? {};
    if (phase === undefined || candidate === undefined || !isReturnable(phase)) return undefined;
    if (serving.includes(candidate)) return undefined;
    if (!isOnlyPaused(view, candidate) || !canBeProven(view, candidate)) return undefined;
    return {
      seen: `record: ${candidate} is promoted; ${facts.words.registry}: ${whyNot(state(candidate))}`,
      shard: candidate,
    };
  },
  rollback_possible(view) {
    const { record, serving, state, of, facts } = view;
    const { candidate } = record?.deployment ?? {};
    const way = chooseRollbackAdvice(view);
    if (way === undefined || candidate === undefined) return undefined;
    const { service, running } = state(candidate);
    const { commands } = way;
    if (!serving.includes(candidate)) {
      // A process that runs may be proven yet.
      if (service.kind === 'unknown' && running.length > 0) return undefined;
      const why =
        running.length === 0 && way.process === 'runs'
          ? `AWS: no runner process of it runs, that of ${way.shard} does`
          : `${facts.words.registry} and AWS: ${whyNot(state(candidate))}`;
      return { seen: `record: ${candidate} is promoted; ${why}`, commands };
    }
    // Where no host may be asked, nobody could say more than that it is open.
    const hosts = answerOf(of(candidate).hosts) ?? [];
    if (service.kind === 'proven' || hosts.length === 0) return undefined;
    if (running.length > 0 || way.process === 'may_run') return undefined;
    const silent = hosts.map(({ id, process }) => `${id}, its process is ${process}`).join('; ');
    const old = way.process === 'runs' ? 'runs' : 'is stopped and can be started';
    return {
      seen: `record: ${candidate} is promoted, and it is not proven to serve; host: ${silent}; that of ${way.shard} ${old}`,
      commands,
    };
  },
  nothing_serves(view) {
    const { record, serving, active, state, states, other, facts } = view;
    if (serving.length > 0 || active === undefined) return undefined;
    const { phase = 'done' } = record?.deployment ?? {};
    const seen = `deployment_status: ${active} is active; ${facts.words.registry} and AWS: ${whyNot(state(active))}`;
    const alive = [active, other(active)].find((shard) => isUsable(view, shard));
    // Building it is what the stages do anyway, quicker than the proof of something that is broken.
    if (phase !== 'done' && isBefore(phase, 'promoted') && alive !== active)
      return { seen, commands: [recoverStep('auto'), finalizeStep] };
    const way = chooseRollbackAdvice(view);
    // Before the proof of what is dead, which is refused or waited for in vain.
    if (way !== undefined && !canBeProven(view, active)) return { seen, commands: way.commands };
    if (alive !== undefined && alive === active) return { seen, shard: alive };
    if (phase === 'done') return { seen, commands: [deployStep] };
    // Its activation would be refused, and so would be to finish: both wait for one that serves.
    if (alive === undefined && states.every((one) => cannotBeOpened(view, one)))
      return { seen, commands: [forceRemovalStep, deployStep] };
    // Until it is silent for long enough whoever finishes looks on.
    if (alive === undefined && answerOf(view.of(active).ended) !== undefined)
      return { seen, commands: [finalizeStep] };
    return { seen, shard: alive ?? active };
  },
} satisfies Signs;

function cannotBeOpened({ of }: StackView, { shard, service }: ShardState): boolean {
  return cannotServe(service) || answerOf(of(shard).ended)?.silent === true;
}

/** A judge's reason, or that what is open was never contacted or has no machine. */
export function whyNot({ service }: ReturnType<StackView['state']>): string {
  return service.kind === 'proven' ? 'no shard is proven to serve' : service.reason;
}

/** What can serve no more is taken over as it is, unless the other one's registration may be somebody's. */
function withoutRecord({ state, other }: StackView, active: Shard, seen: string): Sign {
  const beside = other(active);
  const { registered } = state(beside);
  const isFree = registered !== 'unknown' && registered.length === 0;
  if (isFree && state(active).service.kind === 'disproven') return { seen, commands: [deployStep] };
  const start = `Start a runner process of ${active} or of ${beside} again`;
  const orRemove = `; or, where nothing of ${beside} is used any more, remove its {registration} in {registry} and look again`;
  return { seen, commands: [], byHand: `${start}${isFree ? '' : orRemove}` };
}

/** A registration that is open, and of which nothing newer is known, may serve. */
export function formatServing({ serving, state }: Pick<StackView, 'serving' | 'state'>): string {
  if (serving.length === 0) return 'no shard serves';
  return serving
    .map((shard) => `${shard} ${state(shard).service.kind === 'proven' ? 'serves' : 'may serve'}`)
    .join(' and ');
}

/** Hosts of a shard whose workers are each registered by themselves, and of which none is. */
function hostsWithoutRunner({ of }: StackView, shard: Shard): readonly string[] {
  const registrations = answerOf(of(shard).registrations);
  const hosts = answerOf(of(shard).hosts);
  // Who has refused to say which there are has not said that there is none.
  if (registrations === undefined || hosts === undefined) return [];
  const workers = registrations.flatMap(({ managers }) => answerOf(managers) ?? []);
  if (!registrations.every(({ managers }) => answerOf(managers) !== undefined)) return [];
  return hosts.map(({ id }) => id).filter((id) => !workers.some(({ hostId }) => hostId === id));
}
