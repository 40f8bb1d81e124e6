import type { Call, Fault } from '../fakes/seam.ts';

const minuteMs = 60_000;

/** What was asked for comes a minute later: to one that was told nothing, or that has died meanwhile. */
export const lateFaults = {
  late_minute: { kind: 'outlived', afterMs: minuteMs, dies: false },
  dies_under_way: { kind: 'outlived', afterMs: minuteMs, dies: true },
} as const satisfies Record<string, Fault>;

export type LateMode = keyof typeof lateFaults;

export const lateModes = Object.keys(lateFaults) as readonly LateMode[];

/** A tool of ours is no request; Terraform's lock of the state keeps two of them apart. */
const remote: ReadonlySet<string> = new Set([
  'parameters',
  'registry',
  'canary',
  'host',
  'instances',
  'inventory',
]);

export function canArriveLate({ port, effect }: Pick<Call, 'port' | 'effect'>): boolean {
  return effect && remote.has(port);
}

export function isLateMode(mode: string): mode is LateMode {
  return mode in lateFaults;
}
