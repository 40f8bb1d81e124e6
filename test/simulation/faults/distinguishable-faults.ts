import type { FaultMode } from './fault-modes.ts';
import type { SeenCall } from './seen-calls.ts';

/**
 * Decides whether a fault at this call differs from no fault, and from the same fault at another
 * call of a struck run. An indistinguishable fault is skipped, because its run would be identical
 * to the last byte.
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

/** Decides whether a fault without an effect until this call is struck here or at a later call. */
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

/** Decides whether an hour before a call equals an hour after the previous one. */
function isFrozenBefore(
  calls: readonly SeenCall[],
  { own, followsAtOnce }: SeenCall,
  modes: readonly FaultMode[] | undefined,
): boolean {
  const before = calls[own - 1];
  if (before === undefined || before.again === 'round' || !followsAtOnce) return false;
  return modes === undefined || modes.includes('freeze_after');
}

/**
 * Decides whether an hour after a call equals an hour before the next read, because the hour does
 * not change that read.
 */
function isFrozenAfter(calls: readonly SeenCall[], { own, nextAfterHour }: SeenCall): boolean {
  const next = calls[own + 1];
  return nextAfterHour === 'same' && next !== undefined && next.again !== 'round';
}
