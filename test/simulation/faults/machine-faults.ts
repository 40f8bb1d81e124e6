import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';

/**
 * What happens to machines right before a call: they end; they stand still for ever; they lose the
 * network and have it again ten minutes later. To all of the active shard, or of the other one.
 */
export const machineFaults = {
  active_dies: { kind: 'machines', of: 'active', what: 'dies' },
  active_hangs: { kind: 'machines', of: 'active', what: 'hangs' },
  active_offline: { kind: 'machines', of: 'active', what: 'offline' },
  other_dies: { kind: 'machines', of: 'other', what: 'dies' },
  other_hangs: { kind: 'machines', of: 'other', what: 'hangs' },
  other_offline: { kind: 'machines', of: 'other', what: 'offline' },
} as const satisfies Record<string, Fault>;

export type MachineMode = keyof typeof machineFaults;

export const machineModes = Object.keys(machineFaults) as readonly MachineMode[];

const seesMachines: ReadonlySet<string> = new Set([
  'host',
  'instances',
  'inventory',
  'registry',
  'canary',
  'infrastructure',
]);

/** Nobody else can tell before the next call to one of these; what it changes by waiting is sampled. */
export function machineModesOf({ port, effect }: Pick<Call, 'port' | 'effect'>) {
  return seesMachines.has(port) || effect ? machineModes : [];
}

export function isMachineMode(mode: string): mode is MachineMode {
  return mode in machineFaults;
}
