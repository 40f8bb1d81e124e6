import { type ByHand, describeByHand, describeTagged, planSweep } from '../../plan/sweep-plan.ts';
import type { Shard } from '../../shard.ts';
import { fixStep } from '../commands.ts';
import type { FindingEntry, Sign } from '../finding.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';

/** Resources with a shard's tags that are in no state. Other findings cover the instances. */
export const leftoverSigns = {
  leftovers(view: StackView): Sign | undefined {
    const { record, active, facts } = view;
    // The next stage of an unfinished deployment removes them itself.
    if (record?.deployment.phase !== 'done' || active === undefined) return undefined;
    const seen = facts.shards.flatMap(({ shard }) => formatLeftovers(view, shard));
    if (seen.length === 0) return undefined;
    const shard = view.other(active);
    const removable = removableOf(view, shard).map(describeTagged);
    if (removable.length === 0) return { seen: seen.join('; '), commands: [] };
    const plan = `remove ${removable.join(', ')}, because no part of ${shard} exists`;
    return { seen: seen.join('; '), repair: { kind: 'remove_leftovers', shard, plan } };
  },
};

export const leftoverEntries = {
  leftovers: {
    title: "resources have a shard's tags but are in no Terraform state",
    symptom: 'AWS charges although no shard exists, or an apply fails with `already exists`',
    because:
      'if their shard no longer exists, `doctor --fix` removes those without data; for all others, run the printed commands',
    commands: [fixStep],
    fixes: 'remove_leftovers',
  },
} satisfies Readonly<Record<string, FindingEntry>>;

function formatLeftovers(view: StackView, shard: Shard): string[] {
  const { remove, byHand } = planSweep(leftoversOf(view, shard));
  return [
    ...remove.map((one) => `AWS: ${describeTagged(one)} of ${shard} is in no state`),
    ...byHand.map((one) => `AWS: of ${shard} ${describeByHand(one)}`),
  ];
}

/** Lists removable resources: only of a shard that no longer exists, and only without data. */
function removableOf(view: StackView, shard: Shard) {
  if (view.facts.settings.aws.sweep !== 'remove' || view.state(shard).there !== 'no') return [];
  return planSweep(leftoversOf(view, shard)).remove;
}

/** Lists resources that no sweep removes, because they hold data or are unknown. */
export function keptOf(view: StackView, shard: Shard): readonly ByHand[] {
  if (view.facts.settings.aws.sweep !== 'remove') return [];
  return planSweep(leftoversOf(view, shard)).byHand;
}

function leftoversOf(view: StackView, shard: Shard) {
  const { leftovers } = view.of(shard);
  const found = leftovers === undefined ? [] : (answerOf(leftovers) ?? []);
  const isMachine = (id: string | undefined) =>
    found.some((one) => one.kind === 'instance' && one.id === id);
  // AWS removes the parts of a machine together with the machine.
  return found.filter(({ id, partOf }) => !isMachine(id) && !isMachine(partOf));
}
