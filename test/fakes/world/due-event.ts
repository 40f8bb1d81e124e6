import { comeBack, endsUnheard, happensUnheard } from '../hosts/host-trouble.ts';
import { bootHost, contactGitLab, terminateHost } from '../hosts/hosts.ts';
import { happened } from './happened.ts';
import {
  acknowledgeJob,
  closeJob,
  endJob,
  pollForJob,
  requeueJob,
  submitFromStream,
} from './jobs.ts';
import type { HostState, JobState, World } from './world.ts';
import type { LateCall, WorldEvent } from './world-event.ts';

/** Triggers an event, unless its object has changed since it was scheduled. */
export function carryOut(world: World, event: WorldEvent, arrive: (late: LateCall) => void): void {
  if (event.kind === 'stream_submits') {
    submitFromStream(world, event.stream);
  } else if (event.kind === 'effect_arrives') {
    arrive(event);
  } else if ('jobId' in event) {
    const job = world.jobs[event.jobId];
    if (job?.attempt === event.attempt) reactJob(world, job, event.kind);
  } else {
    const host = world.hosts[event.hostId];
    if (host?.state !== 'running' || happensUnheard(world, host, event)) return;
    reactHost(world, host, event.kind);
  }
}

type JobEventKind = Extract<WorldEvent, { jobId: string }>['kind'];
type HostEventKind = Extract<WorldEvent, { hostId: string }>['kind'];

function reactJob(world: World, job: JobState, kind: JobEventKind): void {
  switch (kind) {
    case 'job_acknowledged':
      if (job.status === 'assigned') acknowledgeJob(world, job);
      return;
    case 'job_requeued':
      if (job.status === 'assigned') requeueJob(world, job);
      return;
    case 'job_ends':
      if (job.status === 'running' && !endsUnheard(world, job.id)) endJob(world, job);
      return;
    case 'job_given_up':
      job.failureReason = 'stuck_or_timeout_failure';
      closeJob(world, job, 'failed');
      return;
    case 'job_canceled':
      closeJob(world, job, 'canceled');
  }
}

function reactHost(world: World, host: HostState, kind: HostEventKind): void {
  switch (kind) {
    case 'host_boots':
      bootHost(world, host);
      return;
    case 'manager_contacts':
      contactGitLab(world, host);
      return;
    case 'manager_polls':
      pollForJob(world, host);
      return;
    case 'process_exits':
      if (host.process === 'quitting' && host.jobs.length === 0) {
        host.process = 'stopped';
        happened(world, { kind: 'process_ended', hostId: host.id });
      }
      return;
    case 'host_dies':
      terminateHost(world, host, 'world');
      return;
    case 'host_comes_back':
      comeBack(world, host);
      return;
    case 'agent_lost':
      host.agent = 'lost';
  }
}
