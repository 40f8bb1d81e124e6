import { isLeftToOperator } from '../../deployment/record.ts';
import { isBefore, isReturnable } from '../../deployment/stages-and-steps.ts';
import { mayBeStopped } from '../../drain/shard-intake.ts';
import type { Shard } from '../../shard.ts';
import type { CommandToType } from '../../text/line-to-type.ts';
import { finalizeStep, undoStep } from '../commands.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';

/** Rollback to the retiring shard, if the command would accept it. */
export interface RollbackAdvice {
  readonly shard: Shard;
  /**
   * `may_run`: its hosts report no state, and nothing shows that hosted-runner ended the process.
   */
  readonly process: 'runs' | 'can_be_started' | 'may_run';
  readonly commands: readonly CommandToType[];
}

/** Applies the rules of the rollback command: a printed command is then not refused. */
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

/** Returns whether a machine runs and the runner exists: it may only be paused or lack its tags. */
export function isUsable(view: StackView, shard: Shard): boolean {
  const { registered, running } = view.state(shard);
  if (registered === 'unknown' || registered.length !== 1) return false;
  if (view.facts.settings.host.access !== 'none') return running.length > 0;
  // Without host access, a running machine is the only available evidence.
  return (answerOf(view.of(shard).instances) ?? []).some(({ state }) => state === 'running');
}

/**
 * Returns whether only its runner keeps jobs from the shard: an activation verifies and unpauses
 * it.
 */
export function isOnlyPaused(view: StackView, shard: Shard): boolean {
  return view.state(shard).service.kind === 'closed' && isUsable(view, shard);
}

/** Returns whether an activation would check the shard again, and might verify it. */
export function canBeProven(view: StackView, shard: Shard): boolean {
  if (isAlreadyActivated(view, shard)) return false;
  return isUsable(view, shard) && view.state(shard).service.kind !== 'disproven';
}

/**
 * Returns whether a repeated activation would find nothing to do. After repeated reopens, it
 * verifies again.
 */
function isAlreadyActivated({ record }: StackView, shard: Shard): boolean {
  const { kind, candidate, phase, reopened } = record?.deployment ?? {};
  if (kind !== 'activate' || candidate !== shard || phase === undefined) return false;
  if (phase === 'done' || isBefore(phase, 'promoted')) return false;
  return !isLeftToOperator(reopened?.times ?? 0);
}
