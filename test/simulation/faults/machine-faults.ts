import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';

/**
 * Faults of machines right before a call: they end, hang forever, or lose the network for ten
 * minutes. Each hits all machines of the active or of the inactive shard.
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

/**
 * Returns machine faults for calls that could detect them or have an effect. Other calls see no
 * difference. Their changes over waiting time are covered by samples.
 */
export function machineModesOf({ port, effect }: Pick<Call, 'port' | 'effect'>) {
  return seesMachines.has(port) || effect ? machineModes : [];
}

export function isMachineMode(mode: string): mode is MachineMode {
  return mode in machineFaults;
}
