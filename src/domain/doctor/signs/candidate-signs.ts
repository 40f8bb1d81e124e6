import { broughtChange, describeNoChange } from '../../deployment/last-apply.ts';
import { shardEntry } from '../../deployment/record.ts';
import { isBefore } from '../../deployment/stages-and-steps.ts';
import { isEndable } from '../../instance.ts';
import { notInState } from '../../plan/aws-resource.ts';
import type { Shard } from '../../shard.ts';
import { finalizeStep, promoteStep } from '../commands.ts';
import type { Sign } from '../finding.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';

type Signs = Readonly<Record<string, (view: StackView) => Sign | undefined>>;

/** Faults of a candidate before its promotion. */
export const candidateSigns = {
  candidate_serves(view) {
    const shard = candidateOf(view);
    if (shard === undefined || !view.accepting.includes(shard)) return undefined;
    if (view.record?.deployment.phase === 'promoting') return undefined;
    return {
      seen: `record: ${shard} is the candidate; ${view.facts.words.registry}: it ${view.state(shard).service.kind === 'proven' ? 'accepts jobs' : 'may accept jobs'}`,
      shard,
    };
  },
  two_instances(view) {
    const shard = candidateOf(view);
    if (shard === undefined) return undefined;
    const { machines } = view.state(shard);
    if (machines === 'unknown' || machines.length <= view.facts.settings.managers) return undefined;
    const id = foreignMachine(view, shard) ?? youngest(view, shard) ?? machines.at(-1);
    const seen = `AWS: ${machines.join(', ')} have the Name tag of ${shard}; the configuration expects ${view.facts.settings.managers}`;
    return { seen, ...(id === undefined ? {} : { id }) };
  },
  retreat_unfinished: ({ record }) =>
    record?.deployment.phase === 'retreating'
      ? { seen: `record: the candidate ${record.deployment.candidate} is in retreat` }
      : undefined,
  registration_gone(view) {
    const shard = candidateOf(view);
    if (shard === undefined) return undefined;
    const { registration } = shardEntry(view.record, shard);
    const { registered, machines } = view.state(shard);
    if (registration === undefined || registered === 'unknown') return undefined;
    if (registered.some(({ id }) => id === registration) || machines.length === 0) return undefined;
    return {
      seen: `record: ${view.facts.words.registration} ${registration} of ${shard}; ${view.facts.words.registry}: there is none`,
    };
  },
  state_lost(view) {
    const shard = candidateOf(view);
    const id = shard === undefined ? undefined : foreignMachine(view, shard);
    if (id === undefined || shard === undefined) return undefined;
    return {
      seen: `AWS: ${id} of ${shard}; infrastructure: the state does not contain this instance`,
      id,
    };
  },
  resources_gone(view) {
    const shard = candidateOf(view);
    if (shard === undefined || isBeforeApplied(view)) return undefined;
    const { machines, built } = view.state(shard);
    if (machines === 'unknown' || machines.length > 0) return undefined;
    return {
      seen: `AWS: no machine of ${shard}; infrastructure: ${built}; record: it was applied`,
    };
  },
  instance_silent(view) {
    const shard = candidateOf(view);
    if (shard === undefined || isBeforeApplied(view)) return undefined;
    const lost = (answerOf(view.of(shard).hosts) ?? []).find(({ agent }) => agent === 'lost');
    if (lost === undefined || shardEntry(view.record, shard).unhealthyInARow === 0)
      return undefined;
    return { seen: `AWS: the SSM agent of ${lost.id} of ${shard} does not respond`, id: lost.id };
  },
  candidate_unhealthy(view) {
    const shard = candidateOf(view);
    if (shard === undefined) return undefined;
    const { unhealthyInARow, lastApply } = shardEntry(view.record, shard);
    if (unhealthyInARow === 0) return undefined;
    const times = unhealthyInARow === 1 ? 'once' : `${unhealthyInARow} times in a row`;
    const changed =
      lastApply === undefined || broughtChange(lastApply)
        ? ''
        : `; its last apply ${describeNoChange(lastApply)}`;
    return { seen: `record: ${shard} was found unhealthy ${times}${changed}` };
  },
  provision_unfinished({ record }) {
    const { phase, candidate, id, awaitsApproval } = record?.deployment ?? {};
    if (phase === undefined || !isBefore(phase, 'promoted')) return undefined;
    const seen = `record: deployment ${id} of ${candidate} is ${phase}`;
    if (phase !== 'healthy' || awaitsApproval !== true) return { seen };
    const because = 'the deployment waits for an approval, which `promote` gives';
    return {
      seen: `${seen} and waits for an approval`,
      because,
      commands: [promoteStep, finalizeStep],
    };
  },
} satisfies Signs;

/** The shard that an unfinished deployment builds. */
function candidateOf({ record }: StackView): Shard | undefined {
  const { phase, candidate } = record?.deployment ?? {};
  if (phase === undefined || phase === 'retreating') return undefined;
  return isBefore(phase, 'promoting') ? candidate : undefined;
}

function isBeforeApplied({ record }: StackView): boolean {
  return record !== undefined && isBefore(record.deployment.phase, 'applied');
}

/** Chooses the youngest instance, if no state identifies the shard's own. */
function youngest(view: StackView, shard: Shard): string | undefined {
  const instances = (answerOf(view.of(shard).instances) ?? []).filter(isEndable);
  return instances.toSorted((a, b) => Date.parse(b.launchedAt) - Date.parse(a.launchedAt))[0]?.id;
}

/**
 * Finds a machine with the shard's name that the infrastructure state lists neither directly nor by
 * its group.
 */
export function foreignMachine(view: StackView, shard: Shard): string | undefined {
  const known = answerOf(view.of(shard).known);
  const instances = answerOf(view.of(shard).instances);
  if (known === undefined || known === 'unknown' || instances === undefined) return undefined;
  const machines = instances
    .filter(isEndable)
    .map(({ id, autoScalingGroup }) => ({ id, partOf: autoScalingGroup }));
  return notInState(machines, new Set(known))[0]?.id;
}
