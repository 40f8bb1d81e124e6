import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';

const minuteMs = 60_000;

/**
 * Requests that take effect a minute later. The run either continues without a response or has
 * ended.
 */
export const lateFaults = {
  late_minute: { kind: 'outlived', afterMs: minuteMs, dies: false },
  dies_under_way: { kind: 'outlived', afterMs: minuteMs, dies: true },
  /** Delay that exceeds every wait for a state's lock. */
  tool_goes_on: { kind: 'outlived', afterMs: 10 * minuteMs, dies: true },
} as const satisfies Record<string, Fault>;

export type LateMode = keyof typeof lateFaults;

export const lateModes = Object.keys(lateFaults) as readonly LateMode[];

const remote: ReadonlySet<string> = new Set([
  'parameters',
  'registry',
  'canary',
  'host',
  'instances',
  'inventory',
]);

/**
 * Returns the late modes of a call. An infrastructure tool outlives its run and keeps the state's
 * lock; a request has no such mode.
 */
export function lateModesOf({ port, effect }: Pick<Call, 'port' | 'effect'>): readonly LateMode[] {
  if (!effect) return [];
  if (port === 'infrastructure') return lateModes;
  return remote.has(port) ? lateModes.filter((mode) => mode !== 'tool_goes_on') : [];
}

export function isLateMode(mode: string): mode is LateMode {
  return mode in lateFaults;
}
