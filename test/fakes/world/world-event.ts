import type { World } from './world.ts';

/** Event that happens by itself. Plain data, to save and load a world. */
export type WorldEvent =
  | { kind: 'host_boots'; hostId: string }
  | { kind: 'manager_contacts'; hostId: string }
  | { kind: 'manager_polls'; hostId: string }
  | { kind: 'process_exits'; hostId: string }
  | { kind: 'host_dies'; hostId: string }
  | { kind: 'agent_lost'; hostId: string }
  | { kind: 'host_comes_back'; hostId: string }
  | { kind: 'job_acknowledged'; jobId: string; attempt: number }
  | { kind: 'job_requeued'; jobId: string; attempt: number }
  | { kind: 'job_ends'; jobId: string; attempt: number }
  | { kind: 'job_given_up'; jobId: string; attempt: number }
  | { kind: 'job_canceled'; jobId: string; attempt: number }
  | { kind: 'stream_submits'; stream: number }
  | ({ kind: 'effect_arrives' } & LateCall);

/** Request that is still in flight, independent of the run that sent it. */
export interface LateCall {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly deploymentId: string;
}

/** Adds an event to the world's future. */
export function schedule(world: World, inMs: number, event: WorldEvent): void {
  world.counters.order += 1;
  const entry = { at: world.now + inMs, order: world.counters.order, event };
  let index = world.events.length;
  while (index > 0 && (world.events[index - 1]?.at ?? 0) > entry.at) index -= 1;
  world.events.splice(index, 0, entry);
}
