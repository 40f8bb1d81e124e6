import { happened } from '../world/happened.ts';
import { endJob } from '../world/jobs.ts';
import type { HostState, World } from '../world/world.ts';
import { schedule, type WorldEvent } from '../world/world-event.ts';
import { bootHost, contactGitLab, interruptStarted, keepLastContact } from './hosts.ts';

/** A network that is lost is there again after so long; a machine that hangs goes on hanging. */
const offlineForMs = 600_000;
const againMs = 30_000;

/**
 * A machine that nobody hears of any more: EC2 calls it running. One that hangs does nothing; the jobs
 * of one without a network go on, and GitLab hears of them later (by gitlab-runner's source).
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

/** What a machine that nobody hears of would do now; whether that was all. */
export function happensUnheard(world: World, host: HostState, event: WorldEvent): boolean {
  if (host.cutOff === undefined) return false;
  if (event.kind === 'host_dies' || event.kind === 'host_comes_back') return false;
  if (event.kind === 'process_exits') return host.cutOff === 'hangs';
  if (event.kind === 'manager_polls') {
    host.polls = false;
    return true;
  }
  // It boots and registers when it can.
  if (host.cutOff === 'offline') schedule(world, againMs, event);
  return true;
}

/** Whether the end of a job is heard of only later, or never. */
export function endsUnheard(world: World, jobId: string): boolean {
  const host = world.hosts[world.jobs[jobId]?.hostId ?? ''];
  if (host?.cutOff === undefined) return false;
  if (host.cutOff === 'offline') host.unheard = [...(host.unheard ?? []), jobId];
  return true;
}
