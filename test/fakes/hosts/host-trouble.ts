import { happened } from '../world/happened.ts';
import { endJob } from '../world/jobs.ts';
import type { HostState, World } from '../world/world.ts';
import { schedule, type WorldEvent } from '../world/world-event.ts';
import { bootHost, contactGitLab, interruptStarted, keepLastContact } from './hosts.ts';

/** A lost network returns after this time. A hanging machine stays so. */
const offlineForMs = 600_000;
const againMs = 30_000;

/**
 * Makes a machine unreachable, while EC2 reports it as running. A hanging machine does nothing.
 * Jobs of a machine without a network continue, and GitLab receives their results later (as
 * gitlab-runner's source shows).
 */
export function cutOff(world: World, host: HostState, how: 'hangs' | 'offline'): void {
  if (host.state !== 'running' || host.cutOff !== undefined) return;
  keepLastContact(world, host);
  host.agent = 'lost';
  host.cutOff = how;
  const { id: hostId, name } = host;
  happened(world, { kind: 'host_cut_off', hostId, name, how });
  if (how === 'hangs') interruptStarted(world, host.jobs, 'world');
  else schedule(world, offlineForMs, { kind: 'host_comes_back', hostId });
}

export function comeBack(world: World, host: HostState): void {
  if (host.cutOff !== 'offline') return;
  delete host.cutOff;
  const { id: hostId, name, unheard = [] } = host;
  delete host.unheard;
  happened(world, { kind: 'host_came_back', hostId, name });
  if (host.boot !== 'agent_lost') {
    host.agent = 'online';
    host.lastPingAt = world.now;
  }
  for (const id of unheard) {
    const job = world.jobs[id];
    if (job?.status === 'running' && job.hostId === hostId) endJob(world, job);
  }
  if (host.process === 'absent') bootHost(world, host);
  else if (host.registrationId !== undefined) contactGitLab(world, host);
}

/**
 * Handles an event of an unreachable machine. Returns whether the event needs no further handling.
 */
export function happensUnheard(world: World, host: HostState, event: WorldEvent): boolean {
  if (host.cutOff === undefined) return false;
  if (event.kind === 'host_dies' || event.kind === 'host_comes_back') return false;
  if (event.kind === 'process_exits') return host.cutOff === 'hangs';
  if (event.kind === 'manager_polls') {
    host.polls = false;
    return true;
  }
  // Boot and registration are delayed until the network returns.
  if (host.cutOff === 'offline') schedule(world, againMs, event);
  return true;
}

/** Decides whether GitLab receives the end of a job later, or never. */
export function endsUnheard(world: World, jobId: string): boolean {
  const host = world.hosts[world.jobs[jobId]?.hostId ?? ''];
  if (host?.cutOff === undefined) return false;
  if (host.cutOff === 'offline') host.unheard = [...(host.unheard ?? []), jobId];
  return true;
}
