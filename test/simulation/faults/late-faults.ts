import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';

const minuteMs = 60_000;

/** What was asked for comes a minute later: to one that was told nothing, or that has died meanwhile. */
export const lateFaults = {
  late_minute: { kind: 'outlived', afterMs: minuteMs, dies: false },
  dies_under_way: { kind: 'outlived', afterMs: minuteMs, dies: true },
  /** Longer than anybody waits for the lock of a state. */
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

/** A tool of ours is no request: it goes on without us, and its lock of the state with it. */
export function lateModesOf({ port, effect }: Pick<Call, 'port' | 'effect'>): readonly LateMode[] {
  if (!effect) return [];
  if (port === 'infrastructure') return lateModes;
  return remote.has(port) ? lateModes.filter((mode) => mode !== 'tool_goes_on') : [];
}

export function isLateMode(mode: string): mode is LateMode {
  return mode in lateFaults;
}
