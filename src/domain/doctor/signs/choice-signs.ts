import { formatStatus } from '../../deployment/deployment-status.ts';
import { parameterPath } from '../../parameter-path.ts';
import type { Shard } from '../../shard.ts';
import { inShell } from '../../text/shell-quoting.ts';
import { activateStep, finalizeStep } from '../commands.ts';
import type { Sign } from '../finding.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';
import { isOnlyPaused } from './rollback-advice.ts';

/**
 * Which shard is to be active, where what is written does not say it. One that serves; both: a person
 * has to say. Where none serves, one that is only closed: its activation opens it and proves it first.
 * @param none what is said where nothing could serve either
 */
export function chosen(
  view: StackView,
  seen: string,
  {
    serving = view.serving,
    none = { seen, commands: [], byHand: formatStatusSource(view) },
  }: { readonly serving?: readonly Shard[]; readonly none?: Sign } = {},
): Sign {
  const [one] = serving.length > 0 ? serving : pausedOf(view);
  return one === undefined ? none : { seen, commands: [activateStep(one), finalizeStep] };
}

/** The one that the record expects before the other. */
function pausedOf(view: StackView): readonly Shard[] {
  const closed = view.states.map(({ shard }) => shard).filter((one) => isOnlyPaused(view, one));
  return closed.toSorted((a, b) => Number(b === view.expected) - Number(a === view.expected));
}

/** With a status that says what it said, doctor tells what is left to do. */
function formatStatusSource({ facts, record, expected, states }: StackView): string {
  const { shards } = facts.settings;
  const name = parameterPath(facts.settings, 'deployment_status');
  const isAbsent = answerOf(facts.status)?.kind === 'absent';
  const put = (shard: Shard) =>
    inShell`aws ssm put-parameter ${isAbsent ? ['--type', 'String'] : ['--overwrite']} --name ${name} --value ${formatStatus(shards, shard)}`;
  if (record === undefined || expected === undefined) {
    if (!isAbsent)
      return inShell`Put its last good value back, as its history has it: aws ssm get-parameter-history --name ${name}`;
    const [there = shards[0]] = states
      .filter((one) => one.there !== 'no')
      .map(({ shard }) => shard);
    return `Say which shard was active, here ${there}: ${put(there)}`;
  }
  // Until its switch is known to have been made, the one that was active before it.
  const before = record.deployment.retiring ?? 'none';
  const wanted = expected === 'either' ? before : expected;
  if (wanted === 'none') return inShell`Undo the edit: aws ssm delete-parameter --name ${name}`;
  return `${isAbsent ? 'Write it anew' : 'Undo the edit'}: ${put(wanted)}`;
}
