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
 * Proposes an active shard if status and record do not name one: the shard that accepts jobs. If
 * both do, an operator chooses. If neither does, a shard that is only paused: its activation
 * verifies and unpauses it.
 * @param none result if no shard could accept jobs
 */
export function chosen(
  view: StackView,
  seen: string,
  {
    accepting = view.accepting,
    none = { seen, commands: [], byHand: formatStatusSource(view) },
  }: { readonly accepting?: readonly Shard[]; readonly none?: Sign } = {},
): Sign {
  const [one] = accepting.length > 0 ? accepting : pausedOf(view);
  return one === undefined ? none : { seen, commands: [activateStep(one), finalizeStep] };
}

/** Lists shards that are only paused, with the record's expected one first. */
function pausedOf(view: StackView): readonly Shard[] {
  const closed = view.states.map(({ shard }) => shard).filter((one) => isOnlyPaused(view, one));
  return closed.toSorted((a, b) => Number(b === view.expected) - Number(a === view.expected));
}

/**
 * Formats how to set the status by hand. Once the status is known, doctor lists the remaining
 * steps.
 */
function formatStatusSource({ facts, record, expected, states }: StackView): string {
  const { shards } = facts.settings;
  const name = parameterPath(facts.settings, 'deployment_status');
  const isAbsent = answerOf(facts.status)?.kind === 'absent';
  const put = (shard: Shard) =>
    inShell`aws ssm put-parameter ${isAbsent ? ['--type', 'String'] : ['--overwrite']} --name ${name} --value ${formatStatus(shards, shard)}`;
  if (record === undefined || expected === undefined) {
    if (!isAbsent)
      return inShell`Restore the last valid value from the history of the parameter: aws ssm get-parameter-history --name ${name}`;
    const [there = shards[0]] = states
      .filter((one) => one.there !== 'no')
      .map(({ shard }) => shard);
    return `Write the shard that was active, for example ${there}: ${put(there)}`;
  }
  // While the switch is unconfirmed, the shard that was active before it.
  const before = record.deployment.retiring ?? 'none';
  const wanted = expected === 'either' ? before : expected;
  if (wanted === 'none') return inShell`Undo the edit: aws ssm delete-parameter --name ${name}`;
  return `${isAbsent ? 'Write the status again' : 'Undo the edit'}: ${put(wanted)}`;
}
