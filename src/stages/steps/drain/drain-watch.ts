import { shardEntry } from '../../../domain/deployment/record.ts';
import { reportsNone, runsJobs } from '../../../domain/drain/drain-by-hosts.ts';
import type { DrainObservation, HostReading } from '../../../domain/drain/drain-check.ts';
import { noUsualEnd, type UsualEnd } from '../../../domain/drain/drain-estimate.ts';
import { type DrainPace, outagePollMs, paceDrain } from '../../../domain/drain/drain-pace.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { PollResult } from '../../../ports/poll.ts';
import type { RegistryJob } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';
import { inParallel } from '../../context/parallel.ts';
import { checkHost, observeDrain, readShardRegistration } from '../../observe/drain-observation.ts';
import { sharedAge } from '../../observe/observe.ts';

/** Interval of complete checks while only the registry can report the end of a job. */
const wholeEveryMs = 30_000;
/** Interval of complete checks if the end of the jobs is far. */
const wholeFarEveryMs = 300_000;
/** Interval of complete checks while hosts wait for the end of their jobs. */
const wholeWaitingEveryMs = 7_200_000;
/** Interval for reading the runner after two waits, because an operator may unpause it. */
const registrationEveryMs = 55_000;
/**
 * Interval for reading the runner while a job is about to start. The job could otherwise run and
 * end without being listed.
 */
const movingEveryMs = 15_000;

/** Limits of a wait on a host: the maximum, and the minimum that is worth a command. */
const waitsMs = { longest: 30_000, shortest: 1000 } as const;
/** A wait may end later than the next due call by this time without being shortened. */
const mayBeLateMs = 5000;
/** Time limit for the response to a command. */
const answerWithinMs = 30_000;
/** Number of hosts that wait at once. The others count as busy until one of these is idle. */
const hostsAtOnce = 10;

/** Times that limit the next check. */
interface Ahead {
  /** Time until a limit of the drain or the deadline of its run. */
  readonly untilLimitMs: number;
  /** Time until another check is due. */
  readonly untilDueMs: number;
  /** Whether the end of the jobs is expected later. */
  readonly isFar: boolean;
}

interface Watched {
  readonly facts: DrainObservation;
  /** `waited`: on hosts. `early`: a host returned long before its limit and is still busy. */
  readonly kind: 'checked' | 'waited' | 'early';
}

/** Undefined if no source confirms that the shard is busy; a complete check must follow. */
type Recheck = Promise<Watched | undefined>;

/** Watch that checks one shard with as few calls as the last check allows. */
interface DrainWatch {
  check(ahead: Ahead): Promise<Watched>;
}

/**
 * Checks a drain with few calls. A host with jobs waits itself for their end, and the registry is
 * queried once a minute meanwhile. If no host can wait, a runner that reports a job needs no second
 * source. Only a source that was just read keeps the shard busy; without one, everything is
 * checked. If the registry lists a job that no host runs, the hosts are checked as often as near
 * the end of a job.
 */
export function watchDrain(context: StageContext, shard: Shard): DrainWatch {
  const { clock, registry } = context.ports;
  const byHosts = registry.traits.idleSource === 'proves_nothing';
  let last: DrainObservation | undefined;
  let wholeAt = 0;
  let registrationAt = 0;
  let listedCount = 0;
  let isIdleByHosts = false;

  async function readRegistry(before: DrainObservation): Promise<DrainObservation> {
    const { registration: id } = shardEntry(context.journal.current(), shard);
    const count = countOn(before.hosts);
    // GitHub reports a busy runner without its job, so one job may follow another unnoticed.
    const isSame = !byHosts && count === listedCount && !before.jobs.some(isAboutToStart);
    const found = id === undefined || isSame ? undefined : await registry.listJobs(id);
    // After a job list, the runner is read again: its pause must be newer than the list.
    const registration = await readShardRegistration(context, shard, found ? undefined : sharedAge);
    const others = before.others?.flatMap(({ jobs }) => jobs) ?? [];
    const own =
      registration.kind === 'gone' ? [] : found?.kind === 'found' ? found.value : undefined;
    listedCount = count;
    registrationAt = clock.elapsed();
    return { ...before, registration, jobs: own === undefined ? before.jobs : [...own, ...others] };
  }

  async function waitOnHosts(before: DrainObservation, ahead: Ahead): Recheck {
    const at = clock.elapsed();
    const isDue = at - registrationAt >= registryEveryMs(before, listedCount);
    const read = isDue ? await readRegistry(before) : before;
    if (isOpen(read)) return { facts: { ...read, at }, kind: 'checked' };
    const dueMs = registrationAt + registryEveryMs(read, listedCount) - clock.elapsed();
    const mostMs = Math.min(waitsMs.longest, Math.min(dueMs, ahead.untilDueMs) + mayBeLateMs);
    const untilIdleMs = Math.max(waitsMs.shortest, Math.min(mostMs, ahead.untilLimitMs));
    const begunAt = clock.elapsed();
    const busyHosts = before.hosts.filter(runsJobs).slice(0, hostsAtOnce);
    const words = await inParallel(busyHosts, ({ host }) =>
      checkHost(context, host, { untilIdleMs, withinMs: untilIdleMs + answerWithinMs }),
    );
    if (!words.some(runsJobs) || words.some(({ kind }) => kind === 'silent')) return undefined;
    const hosts = read.hosts.map((word) => words.find(({ host }) => host === word.host) ?? word);
    const isEarly = clock.elapsed() - begunAt < untilIdleMs / 2;
    return { facts: { ...read, at, hosts }, kind: isEarly ? 'early' : 'waited' };
  }

  async function readActive(before: DrainObservation, isFar: boolean): Recheck {
    const registration = await readShardRegistration(context, shard, isFar ? sharedAge : undefined);
    if (!isActive(registration) || !registration.paused) return undefined;
    return { facts: { ...before, at: clock.elapsed(), registration, hosts: [] }, kind: 'checked' };
  }

  async function checkCheaply(ahead: Ahead): Recheck {
    if (last === undefined) return undefined;
    const ageMs = clock.elapsed() - wholeAt;
    if (last.hosts.some(runsJobs))
      return ageMs < wholeWaitingEveryMs ? waitOnHosts(last, ahead) : undefined;
    const everyMs = ahead.isFar && !isIdleByHosts ? wholeFarEveryMs : wholeEveryMs;
    if (byHosts || !isActive(last.registration) || ageMs >= everyMs) return undefined;
    return readActive(last, ahead.isFar);
  }

  return {
    async check(ahead) {
      const cheap = await checkCheaply(ahead);
      if (cheap !== undefined) {
        last = cheap.facts;
        return cheap;
      }
      wholeAt = clock.elapsed();
      last = await observeDrain(context, shard);
      registrationAt = clock.elapsed();
      listedCount = countOn(last.hosts);
      isIdleByHosts = last.hosts.length > 0 && last.hosts.every(reportsNone);
      return { facts: last, kind: 'checked' };
    },
  };
}

function countOn(hosts: readonly HostReading[]): number {
  return hosts.reduce((sum, word) => sum + (word.kind === 'jobs' ? word.count : 0), 0);
}

/** @param listedCount how many jobs the hosts reported when the registry last listed them */
function registryEveryMs({ hosts, jobs }: DrainObservation, listedCount: number): number {
  const isMoving = jobs.some(isAboutToStart) || countOn(hosts) > listedCount;
  return isMoving ? movingEveryMs : registrationEveryMs;
}

function isAboutToStart({ status }: RegistryJob): boolean {
  return status === 'assigned';
}

function isOpen({ registration }: DrainObservation): boolean {
  return registration.kind === 'seen' && !registration.paused;
}

function isActive(
  registration: DrainObservation['registration'],
): registration is Extract<DrainObservation['registration'], { kind: 'seen' }> {
  return registration.kind === 'seen' && registration.execution === 'active';
}

interface Times {
  usualEnd(): UsualEnd;
  untilLimitMs(): number;
  /** Other checks between two checks of the drain. */
  readonly besides: readonly { dueInMs(): number }[];
}

/** Schedule of one drain's checks and their time limits. */
interface Schedule {
  ahead(): Ahead;
  after(verdict: DrainPace['verdict'], watched: Watched): PollResult<never>;
}

export function scheduleChecks(
  { ports, settings }: StageContext,
  { usualEnd, untilLimitMs, besides }: Times,
): Schedule {
  const { clock } = ports;
  let nearSince: number | undefined;
  return {
    ahead: () => ({
      untilLimitMs: untilLimitMs(),
      untilDueMs: Math.min(...besides.map((one) => one.dueInMs())),
      isFar: usualEnd().quietMs > 0,
    }),
    after(verdict, { facts: observation, kind }) {
      const now = clock.elapsed();
      // A host with jobs waits for their end itself, so no usual end is needed.
      const usual = observation.hosts.some(runsJobs) ? noUsualEnd : usualEnd();
      const isNear = verdict.kind === 'busy' && kind === 'checked' && usual.quietMs === 0;
      nearSince = isNear ? (nearSince ?? now) : undefined;
      const hint = paceDrain({
        verdict,
        check: kind,
        sinceCheckMs: now - observation.at,
        quietMs: usual.quietMs,
        usuallyInMs: usual.inMs,
        nearForMs: now - (nearSince ?? now),
      });
      // A host that recovers shortens the confirmation.
      const isUnresponsive = observation.hosts.some((word) => word.kind === 'silent');
      const unansweredMs =
        verdict.kind === 'confirming' && isUnresponsive
          ? outagePollMs(verdict.neededMs, settings.drain)
          : Number.POSITIVE_INFINITY;
      return { kind: 'pending', hint, atMostMs: Math.min(unansweredMs, untilLimitMs()) };
    },
  };
}
