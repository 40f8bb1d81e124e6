import { managerHostName } from '../../../src/domain/shard.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type { HostReport, JobRequests, RunnerHost } from '../../../src/ports/runner-host.ts';
import { isSeenAfterEnd, killProcess, quitProcess, startProcess } from '../hosts/hosts.ts';
import { registrationOfToken } from '../hosts/token-parameter.ts';
import type { HostState, World } from '../world/world.ts';

/** Creates the instances by their Name tag, with Run Command. */
export function createRunnerHostFake(
  world: World,
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
): RunnerHost {
  const answering = (id: string): HostState | undefined => {
    const host = world.hosts[id];
    return host?.state === 'running' && host.agent === 'online' ? host : undefined;
  };

  return {
    async list(shard) {
      const name = managerHostName(shard);
      return Object.values(world.hosts)
        .filter((host) => host.name === name && !host.unregistered)
        .filter((host) => host.state === 'running' || isSeenAfterEnd(world, host))
        .map(({ id, agent, state, lastPingAt, platform }) => ({
          id,
          agent: state === 'running' ? agent : 'online',
          ...(platform === undefined ? {} : { platform }),
          ...(lastPingAt === undefined ? {} : { lastPingAt: new Date(lastPingAt).toISOString() }),
        }));
    },
    async look(hostId, { untilIdleMs = 0 } = {}) {
      await untilIdle(clock, untilIdleMs, answering(hostId));
      const host = answering(hostId);
      return host === undefined
        ? { kind: 'silent', reason: formatNoResponse(world, hostId) }
        : report(world, host);
    },
    async quit(hostId) {
      const host = answering(hostId);
      if (host === undefined) return { kind: 'refused', reason: formatNoResponse(world, hostId) };
      if (holdsJob(world, host)) {
        host.restarts = false;
        const reason = 'the listener holds an unfinished message, so it continues';
        return { kind: 'busy', reason };
      }
      return { kind: quitProcess(world, host) };
    },
    async start(hostId) {
      const host = answering(hostId);
      if (host === undefined) return { kind: 'refused', reason: formatNoResponse(world, hostId) };
      return startProcess(world, host);
    },
    async kill(hostId) {
      const host = answering(hostId);
      if (host !== undefined) killProcess(world, host);
    },
    async probeWorkload(hostId) {
      const host = answering(hostId);
      if (host === undefined) return { kind: 'failed', reason: formatNoResponse(world, hostId) };
      const reason = host.workloadFault;
      if (reason !== undefined) return { kind: 'failed', reason };
      if (host.boot !== 'broken_workload') return { kind: 'worked' };
      return { kind: 'failed', reason: 'docker volume create: no space left on device' };
    },
    async reach(hostId, targets) {
      const host = answering(hostId);
      if (host === undefined) throw unanswered(formatNoResponse(world, hostId));
      return targets.map((target) => {
        const detail = host.unreachable?.[target];
        return detail === undefined
          ? { target, kind: 'reached', detail: 'it answers 200' }
          : { target, kind: 'refused', detail };
      });
    },
    async verifyToken(hostId) {
      const host = answering(hostId);
      if (host === undefined) return { kind: 'unknown', detail: formatNoResponse(world, hostId) };
      const known = registrationOfToken(world, host.token) !== undefined;
      return known && host.tokenWord !== 'refused'
        ? { kind: 'accepted', detail: 'Verifying runner... is valid' }
        : { kind: 'refused', detail: 'Verifying runner... is not valid' };
    },
  };
}

/** Pause between two polls of the script that waits on a host. */
const pollMs = 500;

/**
 * Waits on a host until it is idle. If the host is lost meanwhile, nothing arrives before the limit
 * and the command stays in flight.
 */
async function untilIdle(
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
  limitMs: number,
  host: HostState | undefined,
): Promise<void> {
  if (host === undefined) return;
  const until = clock.elapsed() + limitMs;
  const { process } = host;
  const mayAnswer = () => host.state === 'running' && host.agent === 'online';
  const waits = () => host.process === process && host.listens && host.jobs.length > 0;
  while (clock.elapsed() < until && (waits() || !mayAnswer()))
    await clock.sleep(Math.min(pollMs, until - clock.elapsed()));
}

/**
 * Decides whether GitHub's listener has a job. With a job, a quit only freezes the listener for a
 * moment.
 */
function holdsJob({ behaviour }: World, { jobs, process }: HostState): boolean {
  return behaviour.runners !== undefined && jobs.length > 0 && process === 'running';
}

function unanswered(detail: string): PortFailure {
  return new PortFailure({ kind: 'unreachable', effect: 'none', source: 'Run Command', detail });
}

function formatNoResponse(world: World, hostId: string): string {
  const exists = world.hosts[hostId]?.state === 'running';
  return exists ? `the SSM agent of ${hostId} does not respond` : `InvalidInstanceId: ${hostId}`;
}

function report(world: World, host: HostState): HostReport {
  const runs = host.process === 'running' || host.process === 'quitting';
  return {
    kind: 'report',
    process: host.process,
    restarts: host.restarts,
    jobs: runs && host.listens ? host.jobs.map((id) => jobLine(world, id)) : undefined,
    ...(runs && !host.listens ? { listener: 'off' as const } : {}),
    ready: runs && host.listens ? (host.ready ?? 'ready') : 'not_offered',
    ...(runs && host.listens ? countsOf(world, host) : {}),
    ...(host.health === undefined ? {} : { health: host.health }),
    ...wrapperOf(host),
    ...(host.idleWorkers === undefined ? {} : { idleWorkers: host.idleWorkers }),
    ...(host.slots === undefined ? {} : { slots: host.slots }),
    clockOffMs: (host.clockOffMs ?? 0) - world.skewMs,
    systemId: host.systemId,
    version: host.version,
    log: host.log.slice(-5),
  };
}

/**
 * A process with two runners reports them separately. The other runner sends its requests over
 * REST.
 */
function countsOf(world: World, host: HostState): Pick<HostReport, 'requests' | 'requestsOf'> {
  const requests = requestsOf(world, host);
  if (host.jobRouter !== 'beside_another_runner') return { requests };
  const registration = registrationOfToken(world, host.token)?.id;
  return {
    requestsOf: [
      { registration: '48000', requests },
      {
        ...(registration === undefined ? {} : { registration }),
        requests: { answered: 0, refused: 0, byRouter: true },
      },
    ],
  };
}

/** Counts the requests of an idle manager: one per poll, successful while its token is valid. */
function requestsOf(world: World, host: HostState): JobRequests {
  const { pollMs, concurrent } = world.behaviour;
  const knows = registrationOfToken(world, host.token) !== undefined;
  const isPolling = host.contactedAt !== undefined && host.boot !== 'never_takes_jobs';
  const polls = isPolling ? 1 + Math.floor((world.now - (host.contactedAt ?? 0)) / pollMs) : 0;
  if (host.jobRouter === 'alone')
    return { answered: 0, refused: 0, byRouter: true, slots: concurrent };
  return knows
    ? { answered: polls, refused: 0, slots: concurrent }
    : { answered: 0, refused: Math.min(3, polls + 1), slots: concurrent };
}

/** Reports the wrapper, which keeps running, and the state of the process in it. */
function wrapperOf({ wrapper, process }: HostState): Pick<HostReport, 'wrapper'> {
  if (wrapper !== 'running') return wrapper === undefined ? {} : { wrapper };
  if (process === 'quitting') return { wrapper: 'in_shutdown' };
  return { wrapper: process === 'stopped' ? 'stopped' : 'running' };
}

/** Formats a job as `/debug/jobs/list` does. */
function jobLine(world: World, id: string): string {
  const job = world.jobs[id];
  const url = `https://gitlab.example.com/${job?.project}/-/jobs/${id}`;
  return `url=${url} state=running stage=step_script executor_stage=docker_run duration=1s`;
}
