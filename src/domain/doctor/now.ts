import { takesCustomerJobs } from '../guards.ts';
import { describePhase } from '../phase-words.ts';
import type { Shard } from '../shard.ts';
import { isBefore } from '../steps.ts';
import { answerOf } from './facts.ts';
import type { StackView } from './view.ts';

/**
 * The first line of doctor: which shard serves and what proves it, by everything that was asked, so
 * that it never says more than the diagnosis below it.
 */
export function describeNow(view: StackView): string {
  return [describeActive(view), describeRecorded(view)].filter((part) => part !== '').join(' ');
}

function describeActive(view: StackView): string {
  const { facts, active, serving, states, state } = view;
  const status = answerOf(facts.status);
  const known = active === undefined ? states : [state(active)];
  if (status === undefined || known.some(({ registered }) => registered === 'unknown'))
    return 'Which shard serves could not be found out.';
  const proofs = serving.map((shard) => proofOf(view, shard)).join(' ');
  if (status.kind === 'invalid')
    return `Which shard is active is not known: ${status.reason}. ${proofs || nothingServes}`;
  if (active === undefined) {
    if (states.every(({ there }) => there === 'no'))
      return 'No shard is active yet: there is no deployment_status.';
    return `There is no deployment_status. ${proofs || nothingServes}`;
  }
  if (serving.includes(active)) return proofOf(view, active);
  const doubt = `${active} is active, and nothing proves that it serves: ${doubtOf(view, active)}.`;
  return proofs === '' ? doubt : `${doubt} ${proofs}`;
}

const nothingServes = 'Nothing proves that a shard serves.';

function proofOf({ state, facts }: StackView, shard: Shard): string {
  const { registered } = state(shard);
  const { registration, unpaused, tags } = facts.words;
  const list = registered === 'unknown' ? [] : registered;
  const one = list.find((own) => !own.paused && takesCustomerJobs(own, facts.settings)) ?? list[0];
  return `${shard} serves jobs: ${registration} ${one?.id} is ${unpaused}, has its ${tags} and was contacted.`;
}

function doubtOf({ state, facts }: StackView, shard: Shard): string {
  const { registered, machines } = state(shard);
  const { registration, paused, tags } = facts.words;
  const one = registered === 'unknown' ? undefined : registered[0];
  if (one === undefined) return 'it has no registration';
  if (machines !== 'unknown' && machines.length === 0) return 'it has no machine';
  if (one.paused) return `${registration} ${one.id} is ${paused}`;
  if (!takesCustomerJobs(one, facts.settings)) return `${registration} ${one.id} lacks its ${tags}`;
  if (!one.contacted) return `${registration} ${one.id} was never contacted`;
  return 'its process has ended on every host';
}

/** What the record says is left, as far as nobody contradicts it. */
function describeRecorded({ record, facts, serving, state }: StackView): string {
  if (record === undefined) return '';
  const { phase, candidate, retiring } = record.deployment;
  const { registration, unpaused } = facts.words;
  if (phase !== 'done' && isBefore(phase, 'promoting')) {
    if (serving.includes(candidate)) return `${candidate} is built and not in quarantine.`;
    const { machines } = state(candidate);
    if (!isBefore(phase, 'applied') && machines !== 'unknown' && machines.length === 0)
      return `${candidate} was built and has no machine; it takes no customer job.`;
  }
  if (phase === 'draining' && retiring !== undefined && serving.includes(retiring))
    return `${retiring} is to take no new job, and its ${registration} is still ${unpaused}.`;
  return describePhase(record.deployment, facts.words);
}
