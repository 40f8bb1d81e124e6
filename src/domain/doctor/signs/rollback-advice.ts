import { isLeftToOperator } from '../../deployment/record.ts';
import { isBefore, isReturnable } from '../../deployment/stages-and-steps.ts';
import { mayBeStopped } from '../../drain/shard-intake.ts';
import type { Shard } from '../../shard.ts';
import type { CommandToType } from '../../text/line-to-type.ts';
import { finalizeStep, undoStep } from '../commands.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';

/** Back to the shard that the deployment retires, where it would be taken. */
export interface RollbackAdvice {
  readonly shard: Shard;
  /** `may_run`: its hosts cannot be asked or cannot tell, and nothing says that we have ended it. */
  readonly process: 'runs' | 'can_be_started' | 'may_run';
  readonly commands: readonly CommandToType[];
}

/** By the same rules as the command itself, so that what is printed is not refused. */
export function chooseRollbackAdvice(view: StackView): RollbackAdvice | undefined {
  const { record, state } = view;
  const { deployment } = record ?? {};
  const shard = deployment?.retiring;
  if (record === undefined || deployment === undefined || shard === undefined) return undefined;
  if (!isReturnable(deployment.phase)) return undefined;
  const entry = record.shards[shard];
  if (entry === undefined || entry.removal !== undefined) return undefined;
  if (state(shard).registrationGone) return undefined;
  const process = processOf(view, shard);
  if (process === 'none' || (process === 'may_run' && mayBeStopped(deployment))) return undefined;
  return { shard, process, commands: [undoStep(deployment.kind, shard), finalizeStep] };
}

function processOf({ facts, of }: StackView, shard: Shard): RollbackAdvice['process'] | 'none' {
  if (facts.settings.host.access === 'none')
    return answerOf(of(shard).ended) === undefined ? 'may_run' : 'none';
  const words = (answerOf(of(shard).hosts) ?? []).map(({ process }) => process);
  if (words.includes('running')) return 'runs';
  if (words.includes('stopped') || words.includes('quitting')) return 'can_be_started';
  return words.every((word) => word === 'absent') ? 'none' : 'may_run';
}

/** A machine runs and the registry knows the record: it may only be paused or without its tags. */
export function isUsable(view: StackView, shard: Shard): boolean {
  const { registered, running } = view.state(shard);
  if (registered === 'unknown' || registered.length !== 1) return false;
  if (view.facts.settings.host.access !== 'none') return running.length > 0;
  // Nobody may ask a host there: that its machine runs is all that can be known.
  return (answerOf(view.of(shard).instances) ?? []).some(({ state }) => state === 'running');
}

/** Nothing but its registration keeps jobs from it: an activation opens it, and proves it first. */
export function isOnlyPaused(view: StackView, shard: Shard): boolean {
  return view.state(shard).service.kind === 'closed' && isUsable(view, shard);
}

/** Whether an activation would look at it anew, and might find that it serves. */
export function canBeProven(view: StackView, shard: Shard): boolean {
  if (isAlreadyActivated(view, shard)) return false;
  return isUsable(view, shard) && view.state(shard).service.kind !== 'disproven';
}

/** The same command once more would find that it is done already; one left to a person proves it anew. */
function isAlreadyActivated({ record }: StackView, shard: Shard): boolean {
  const { kind, candidate, phase, reopened } = record?.deployment ?? {};
  if (kind !== 'activate' || candidate !== shard || phase === undefined) return false;
  if (phase === 'done' || isBefore(phase, 'promoted')) return false;
  return !isLeftToOperator(reopened?.times ?? 0);
}
