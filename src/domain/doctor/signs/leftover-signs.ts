import { type ByHand, describeByHand, describeTagged, planSweep } from '../../plan/sweep-plan.ts';
import type { Shard } from '../../shard.ts';
import { fixStep } from '../commands.ts';
import type { FindingEntry, Sign } from '../finding.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';

/** What carries a shard's tags and is in no state; its instances other signs tell of. */
export const leftoverSigns = {
  leftovers(view: StackView): Sign | undefined {
    const { record, active, facts } = view;
    // The next stage of an unfinished deployment sweeps by itself.
    if (record?.deployment.phase !== 'done' || active === undefined) return undefined;
    const seen = facts.shards.flatMap(({ shard }) => tell(view, shard));
    if (seen.length === 0) return undefined;
    const shard = view.other(active);
    const removable = removableOf(view, shard).map(describeTagged);
    if (removable.length === 0) return { seen: seen.join('; '), commands: [] };
    const plan = `remove ${removable.join(', ')}, because nothing of ${shard} is there`;
    return { seen: seen.join('; '), repair: { kind: 'remove_leftovers', shard, plan } };
  },
};

export const leftoverEntries = {
  leftovers: {
    title: "something carries a shard's tags and is in no infrastructure's state",
    symptom: 'costs without a shard; an apply that says `already exists`',
    because:
      'of a shard that is gone, what holds no data is removed; everything else a person decides, by the commands that are shown with it',
    commands: [fixStep],
    fixes: 'remove_leftovers',
  },
} satisfies Readonly<Record<string, FindingEntry>>;

function tell(view: StackView, shard: Shard): string[] {
  const { remove, byHand } = planSweep(leftoversOf(view, shard));
  return [
    ...remove.map((one) => `AWS: ${describeTagged(one)} of ${shard} is in no state`),
    ...byHand.map((one) => `AWS: of ${shard} ${describeByHand(one)}`),
  ];
}

/** Only where nothing of the shard is there, and only what can be used by nobody. */
function removableOf(view: StackView, shard: Shard) {
  if (view.facts.settings.aws.sweep !== 'remove' || view.state(shard).there !== 'no') return [];
  return planSweep(leftoversOf(view, shard)).remove;
}

/** What no sweep removes, because it holds data or is not known. */
export function keptOf(view: StackView, shard: Shard): readonly ByHand[] {
  if (view.facts.settings.aws.sweep !== 'remove') return [];
  return planSweep(leftoversOf(view, shard)).byHand;
}

function leftoversOf(view: StackView, shard: Shard) {
  const { leftovers } = view.of(shard);
  const found = leftovers === undefined ? [] : (answerOf(leftovers) ?? []);
  const isMachine = (id: string | undefined) =>
    found.some((one) => one.kind === 'instance' && one.id === id);
  // What is part of a machine goes with it.
  return found.filter(({ id, partOf }) => !isMachine(id) && !isMachine(partOf));
}
