import { managerHostName, type StackShard, shardDescription } from '../../../src/domain/shard.ts';
import { gitlabHas } from '../world/gitlab-version.ts';
import { happened } from '../world/happened.ts';
import { interruptJob, registrationOfLive, wakeManagers } from '../world/jobs.ts';
import type { HostState, ManagerState, RegistrationState, World } from '../world/world.ts';
import { schedule } from '../world/world-event.ts';
import { writeLog } from './runner-log.ts';
import { registrationOfToken, tokenParameter } from './token-parameter.ts';

/** Interval for which a runner sends no request after three refusals in a row. */
const unhealthyIntervalMs = 3_600_000;
const deathAfterContactMs = 30_000;

/** Starts an instance, which boots, reads its token and contacts GitLab by itself. */
export function createHost(world: World, shard: StackShard, managed = true): HostState {
  world.counters.host += 1;
  const number = world.counters.host.toString(16).padStart(13, '0');
  const host: HostState = {
    id: `i-0abc${number}`,
    name: managerHostName(shard),
    runnerName: shard.runnerName,
    shard: shard.shard,
    createdAt: world.now,
    state: 'running',
    agent: 'lost',
    process: 'absent',
    restarts: true,
    boot: world.behaviour.boots[shardDescription(shard)]?.shift() ?? 'ok',
    systemId: `s_${number.slice(1)}`,
    version: world.behaviour.runnerVersion,
    jobs: [],
    polls: false,
    log: [],
    managed,
    listens: true,
  };
  world.hosts[host.id] = host;
  world.history.push({ at: world.now, kind: 'host_created', hostId: host.id, name: host.name });
  schedule(world, world.behaviour.bootMs, { kind: 'host_boots', hostId: host.id });
  return host;
}

export function bootHost(world: World, host: HostState): void {
  if (host.boot !== 'agent_lost') {
    host.agent = 'online';
    host.lastPingAt = world.now;
  }
  host.process = 'running';
  const token = tokenParameter(world, host)?.value;
  if (token === undefined) {
    host.log.push('FATAL: the runner token cannot be read: ParameterNotFound');
    host.process = 'stopped';
    return;
  }
  host.token = token;
  writeLog(world, host, 'starts');
  if (host.boot === 'never_contacts') {
    writeLog(world, host, 'hears_nothing');
    return;
  }
  verifyToken(world, host);
  const inMs = Math.max(0, world.behaviour.contactMs - world.behaviour.bootMs);
  schedule(world, inMs, { kind: 'manager_contacts', hostId: host.id });
}

/**
 * Starts hosts that wait for a token. The systemd unit of the reference module also restarts until
 * a token exists.
 */
export function letHostsStart(world: World): void {
  for (const host of Object.values(world.hosts)) {
    const waits =
      host.state === 'running' && host.lastPingAt !== undefined && host.token === undefined;
    if (waits && host.process === 'stopped') bootHost(world, host);
  }
}

/**
 * Verifies the token as `gitlab-runner register` does, some time before the manager requests jobs.
 */
function verifyToken(world: World, host: HostState): void {
  const registration = registrationOfToken(world, host.token);
  if (registration === undefined || world.behaviour.runners !== undefined) return;
  const manager = addManager(world, registration, host);
  if (!gitlabHas(world, 'verifyIsContact')) return;
  manager.contactedAt = world.now;
  registration.contacted = true;
}

function addManager(world: World, registration: RegistrationState, host: HostState): ManagerState {
  world.counters.manager += 1;
  host.managerId = world.counters.manager;
  const manager: ManagerState = {
    id: host.managerId,
    systemId: host.systemId,
    version: host.version,
    createdAt: world.now,
    hostId: host.id,
  };
  registration.managers.push(manager);
  return manager;
}

/** Sends the manager's first request. GitLab creates a manager or refuses the token. */
export function contactGitLab(world: World, host: HostState): void {
  if (host.state !== 'running' || host.process !== 'running') return;
  const registration = registrationOfToken(world, host.token);
  if (registration === undefined) {
    for (let refusal = 1; refusal <= 3; refusal += 1) writeLog(world, host, 'refused');
    writeLog(world, host, 'silenced');
    schedule(world, unhealthyIntervalMs, { kind: 'manager_contacts', hostId: host.id });
    return;
  }
  const known = registration.managers.find(({ systemId }) => systemId === host.systemId);
  const isFirst = known === undefined || host.registrationId !== registration.id;
  host.registrationId = registration.id;
  host.contactedAt = world.now;
  registration.contacted = true;
  // GitLab treats a restarted manager as the same manager.
  const manager = known ?? addManager(world, registration, host);
  manager.contactedAt = world.now;
  if (!isFirst) {
    wakeManagers(world);
    return;
  }
  happened(world, {
    kind: 'manager_contacted',
    hostId: host.id,
    registrationId: registration.id,
    managerId: manager.id,
  });
  if (host.boot === 'dies')
    schedule(world, deathAfterContactMs, { kind: 'host_dies', hostId: host.id });
  wakeManagers(world);
}

/** Returns when the manager last requested a job. A removed host keeps its last time. */
export function lastContact(world: World, host: HostState): number | undefined {
  if (host.contactedAt === undefined) return undefined;
  const stored = managerOf(world, host)?.contactedAt ?? host.contactedAt;
  if (registrationOfLive(world, host) === undefined) return stored;
  const { pollMs } = world.behaviour;
  return world.now - ((world.now - host.contactedAt) % pollMs);
}

export function keepLastContact(world: World, host: HostState): void {
  const manager = managerOf(world, host);
  const at = lastContact(world, host);
  if (manager !== undefined && at !== undefined) manager.contactedAt = at;
}

function managerOf(world: World, host: HostState) {
  const registration = world.registrations[host.registrationId ?? ''];
  return registration?.managers.find(({ id }) => id === host.managerId);
}

export function terminateHost(world: World, host: HostState, by: 'us' | 'world'): void {
  if (host.state === 'terminated') return;
  keepLastContact(world, host);
  const { id: hostId, name } = host;
  const jobs = [...host.jobs];
  host.state = 'terminated';
  if (host.agent === 'online') host.endedOnlineAt = world.now;
  host.agent = 'lost';
  host.process = 'stopped';
  host.jobs = [];
  world.history.push({ at: world.now, kind: 'host_terminated', hostId, name, jobs, by });
  interruptStarted(world, jobs, by);
}

/**
 * Decides whether Systems Manager still reports an ended machine as online, which it does for five
 * minutes.
 */
export function isSeenAfterEnd({ now }: World, { endedOnlineAt }: HostState): boolean {
  return endedOnlineAt !== undefined && now < endedOnlineAt + 300_000;
}

/**
 * Sends SIGQUIT with the restart disabled: the process takes no more jobs and ends after the
 * running ones.
 */
export function quitProcess(world: World, host: HostState): 'sent' | 'already_stopped' {
  host.restarts = false;
  if (host.process === 'stopped' || host.process === 'absent') return 'already_stopped';
  if (host.process === 'quitting') return 'sent';
  keepLastContact(world, host);
  host.process = 'quitting';
  writeLog(world, host, 'quits');
  const { id: hostId, name, jobs } = host;
  world.history.push({ at: world.now, kind: 'process_quit', hostId, name, jobs: [...jobs] });
  if (jobs.length === 0) schedule(world, 1000, { kind: 'process_exits', hostId });
  return 'sent';
}

/** Enables the restart again. The process starts and contacts GitLab by itself. */
export function startProcess(
  world: World,
  host: HostState,
): { kind: 'started' | 'already_running' } | { kind: 'refused'; reason: string } {
  if (host.process === 'running' || host.process === 'quitting') return { kind: 'already_running' };
  if (host.process === 'absent')
    return { kind: 'refused', reason: 'docker lists no such container' };
  if (host.startFault !== undefined) return { kind: 'refused', reason: host.startFault };
  host.restarts = true;
  // The configuration contains the token since the boot.
  host.process = 'running';
  const inMs = Math.max(0, world.behaviour.contactMs - world.behaviour.bootMs);
  schedule(world, inMs, { kind: 'manager_contacts', hostId: host.id });
  return { kind: 'started' };
}

/** Sends SIGTERM, which ends jobs at once. */
export function killProcess(world: World, host: HostState): void {
  if (host.process === 'stopped' || host.process === 'absent') return;
  keepLastContact(world, host);
  const { id: hostId, name } = host;
  const jobs = [...host.jobs];
  host.restarts = false;
  host.process = 'stopped';
  world.history.push({ at: world.now, kind: 'process_killed', hostId, name, jobs });
  happened(world, { kind: 'process_ended', hostId });
  interruptStarted(world, jobs, 'force');
  host.jobs = [];
}

export function interruptStarted(
  world: World,
  jobs: readonly string[],
  by: 'us' | 'force' | 'world',
): void {
  for (const id of jobs) {
    const job = world.jobs[id];
    // An assigned job returns to the queue by itself, and a job ends only once.
    if (job === undefined || job.status === 'assigned' || job.interruptedBy !== undefined) continue;
    interruptJob(world, job, by);
  }
}
