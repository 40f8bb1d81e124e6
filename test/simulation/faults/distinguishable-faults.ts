import type { FaultMode } from './fault-modes.ts';
import type { SeenCall } from './seen-calls.ts';

/**
 * Whether a fault at this call can be told from none, or from the same one at another call of the
 * run that is struck. What cannot is not played: the run would be the same to the last byte.
 */
export function isDistinguishable(
  calls: readonly SeenCall[],
  call: SeenCall,
  { mode, modes }: { mode: FaultMode; modes: readonly FaultMode[] | undefined },
): boolean {
  switch (mode) {
    case 'stale':
      return call.sameWhenStale !== true;
    case 'twice_first':
      return call.whenTwice === undefined;
    case 'twice_last':
      return call.whenTwice !== 'nothing_more';
    case 'clock_forward':
    case 'clock_back':
      return call.readsClock || !standsIn(calls, call.own + 1, ({ readsClock }) => readsClock);
    case 'lock_stale':
      return call.touchesLock || !standsIn(calls, call.own + 1, ({ touchesLock }) => touchesLock);
    case 'freeze_after':
      return !isFrozenAfter(calls, call);
    case 'freeze_before':
      return !isFrozenBefore(calls, call, modes);
    default:
      return true;
  }
}

/** Whether what nobody notices until this call is struck here, or further on. */
function standsIn(
  calls: readonly SeenCall[],
  from: number,
  notices: (call: SeenCall) => boolean,
): boolean {
  for (const call of calls.slice(from)) {
    if (call.again === 'known') return true;
    if (notices(call)) return call.again === undefined;
  }
  return calls.length > from && calls.at(-1)?.again !== 'round';
}

/** An hour after the last call's end is an hour before this one's beginning. */
function isFrozenBefore(
  calls: readonly SeenCall[],
  { own, followsAtOnce }: SeenCall,
  modes: readonly FaultMode[] | undefined,
): boolean {
  const before = calls[own - 1];
  if (before === undefined || before.again === 'round' || !followsAtOnce) return false;
  return modes === undefined || modes.includes('freeze_after');
}

/** An hour before a read that it does not change is an hour after it. */
function isFrozenAfter(calls: readonly SeenCall[], { own, nextAfterHour }: SeenCall): boolean {
  const next = calls[own + 1];
  return nextAfterHour === 'same' && next !== undefined && next.again !== 'round';
}
