import type { FailureKind } from '../../../src/ports/failure.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { isLateMode, type LateMode, lateFaults } from './late-faults.ts';
import { isMachineMode, type MachineMode, machineFaults } from './machine-faults.ts';

const hourMs = 3_600_000;

/** Faults of a single call. */
const faultModes = {
  crash_before: { kind: 'crash_before' },
  crash_after: { kind: 'crash_after' },
  unreachable: error('unreachable'),
  unavailable: error('unavailable', 503),
  throttled: error('throttled', 429),
  unauthenticated: error('unauthenticated', 401),
  denied: error('denied', 403),
  refused: error('refused', 409),
  unexpected: error('unexpected'),
  lost_answer: { kind: 'lost_answer' },
  twice_first: { kind: 'twice', answer: 'first' },
  twice_last: { kind: 'twice', answer: 'last' },
  stale: { kind: 'stale' },
  late_effect: { kind: 'late_effect', afterMs: 20_000 },
  partial: { kind: 'partial' },
  clock_forward: { kind: 'clock_jump', byMs: 2 * hourMs },
  clock_back: { kind: 'clock_jump', byMs: -2 * hourMs },
  freeze_before: { kind: 'delay', beforeMs: hourMs },
  freeze_after: { kind: 'delay', afterMs: hourMs },
  token_expired: { kind: 'token_expired' },
  lock_stale: { kind: 'lock_stale' },
  foreign_write: { kind: 'foreign_write' },
} as const satisfies Record<string, Fault>;

/**
 * Delay of a late parameter write. The product repeats a write that is absent for ten seconds.
 * Later arrivals in Parameter Store are assumed impossible (docs/understand/simulation.md).
 */
const lateWrite: Fault = { kind: 'late_effect', afterMs: 8000 };

export function faultAt(mode: FaultMode, { port, method }: Pick<Call, 'port' | 'method'>): Fault {
  if (isMachineMode(mode)) return machineFaults[mode];
  if (isLateMode(mode)) return lateFaults[mode];
  const isVersioned = port === 'parameters' && method === 'overwrite';
  return mode === 'late_effect' && isVersioned ? lateWrite : faultModes[mode];
}

type CallMode = keyof typeof faultModes;

export type FaultMode = CallMode | MachineMode | LateMode;

/** Modes of calls. Faults of machines have a separate layer. */
export const allModes = Object.keys(faultModes) as readonly CallMode[];

const readsToo: ReadonlySet<FaultMode> = new Set([
  'crash_before',
  'unreachable',
  'unavailable',
  'throttled',
  'unauthenticated',
  'denied',
  'refused',
  'unexpected',
  'stale',
  'freeze_after',
  'clock_forward',
  'clock_back',
  'token_expired',
  'lock_stale',
]);

/** Modes of a sleep, which has no response. */
const sleepsToo: ReadonlySet<FaultMode> = new Set([
  'crash_before',
  'freeze_after',
  'clock_forward',
  'clock_back',
  'lock_stale',
]);

/**
 * Returns the modes that make a difference at a call. A read has no effect: a death before it
 * equals one after it, and a lost response equals an unreachable server.
 */
export function modesOf({
  port,
  method,
  effect,
}: Pick<Call, 'port' | 'method' | 'effect'>): readonly FaultMode[] {
  if (port === 'clock') return allModes.filter((mode) => sleepsToo.has(mode));
  if (!effect) return allModes.filter((mode) => readsToo.has(mode));
  // After two resets of one token, the first response is void, and only the host can detect this.
  const unseen: FaultMode | undefined = method === 'resetToken' ? 'twice_first' : undefined;
  const isVersioned = port === 'parameters' && method === 'overwrite';
  return allModes
    .filter((mode) => mode !== unseen && appliesToEffect(mode, port))
    .filter((mode) => mode !== 'foreign_write' || isVersioned);
}

function appliesToEffect(mode: FaultMode, port: string): boolean {
  if (mode === 'stale') return false;
  if (mode === 'partial') return port === 'infrastructure';
  // The product starts its tool once. The tool's end may be late, but never occurs twice.
  if (port === 'infrastructure')
    return !['twice_first', 'twice_last', 'late_effect'].includes(mode);
  return true;
}

function error(failure: FailureKind, status?: number): Fault & { kind: 'error_before' } {
  return status === undefined
    ? { kind: 'error_before', failure }
    : { kind: 'error_before', failure, status };
}
