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

/** How often everything is checked while the registry alone can report the end of a job. */
const wholeEveryMs = 30_000;
/** The same if the end of the jobs is not near. */
const wholeFarEveryMs = 300_000;
/** How often everything is checked while hosts wait for the end of their jobs. */
const wholeWaitingEveryMs = 7_200_000;
/** After two waits the registration is read again: an operator may unpause it. */
const registrationEveryMs = 55_000;
/** The same while a job is on its way to a host: it could run and end without having been listed as running. */
const movingEveryMs = 15_000;

/** The longest wait on a host, and the shortest one that is worth a command. */
const waitsMs = { longest: 30_000, shortest: 1000 } as const;
/** A wait that ends so much later than the next call is due is not cut short for it. */
const mayBeLateMs = 5000;
/** A command whose response is later than this is lost. */
const answerWithinMs = 30_000;
/** Hosts that wait at once; the others stay busy until one of these is idle. */
const hostsAtOnce = 10;

/** What is known before a check of when the next one has to come. */
interface Ahead {
  /** Until a limit of the drain or the deadline of its run. */
  readonly untilLimitMs: number;
  /** Until another check is due. */
  readonly untilDueMs: number;
  /** Whether the end of the jobs is expected later. */
  readonly isFar: boolean;
}

/** One check, and how its time was spent. */
interface Watched {
  readonly look: DrainObservation;
  /** `waited`: on the hosts. `early`: a host returned long before it had to, and is still busy. */
  readonly kind: 'checked' | 'waited' | 'early';
}

/** Undefined if no source confirms that the shard is busy: then everything has to be checked. */
type Recheck = Promise<Watched | undefined>;

/** Checks one shard with as few calls as the last check allows. */
interface DrainWatch {
  look(ahead: Ahead): Promise<Watched>;
}

/**
 * A host that runs jobs waits itself for their end, and the registry is called once a minute meanwhile. If no
 * host can wait, a registration that reports a job needs no second witness. Only a source that was checked just
 * now keeps the shard busy: without one, everything is checked. If the registry lists a job that no host runs, the
 * hosts are checked as often as near the end of a job.
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
    // GitHub lists a busy runner and not its job, so one job may follow another unnoticed.
    const isSame = !byHosts && count === listedCount && !before.jobs.some(isAboutToStart);
    const found = id === undefined || isSame ? undefined : await registry.listJobs(id);
    // After a list of jobs the registration is read now: a pause has to be newer than the list.
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
    if (isOpen(read)) return { look: { ...read, at }, kind: 'checked' };
    const dueMs = registrationAt + registryEveryMs(read, listedCount) - clock.elapsed();
    const mostMs = Math.min(waitsMs.longest, Math.min(dueMs, ahead.untilDueMs) + mayBeLateMs);
    const untilIdleMs = Math.max(waitsMs.shortest, Math.min(mostMs, ahead.untilLimitMs));
    const begunAt = clock.elapsed();
    const asked = before.hosts.filter(runsJobs).slice(0, hostsAtOnce);
    const words = await inParallel(asked, ({ host }) =>
      checkHost(context, host, { untilIdleMs, withinMs: untilIdleMs + answerWithinMs }),
    );
    if (!words.some(runsJobs) || words.some(({ kind }) => kind === 'silent')) return undefined;
    const hosts = read.hosts.map((word) => words.find(({ host }) => host === word.host) ?? word);
    const isEarly = clock.elapsed() - begunAt < untilIdleMs / 2;
    return { look: { ...read, at, hosts }, kind: isEarly ? 'early' : 'waited' };
  }

  async function readActive(before: DrainObservation, isFar: boolean): Recheck {
    const registration = await readShardRegistration(context, shard, isFar ? sharedAge : undefined);
    if (!isActive(registration) || !registration.paused) return undefined;
    return { look: { ...before, at: clock.elapsed(), registration, hosts: [] }, kind: 'checked' };
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
    async look(ahead) {
      const cheap = await checkCheaply(ahead);
      if (cheap !== undefined) {
        last = cheap.look;
        return cheap;
      }
      wholeAt = clock.elapsed();
      last = await observeDrain(context, shard);
      registrationAt = clock.elapsed();
      listedCount = countOn(last.hosts);
      isIdleByHosts = last.hosts.length > 0 && last.hosts.every(reportsNone);
      return { look: last, kind: 'checked' };
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
  /** Checks of others that are made between two checks of the drain. */
  readonly besides: readonly { dueInMs(): number }[];
}

/** When the checks of one drain come, and for how long they may take. */
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
    after(verdict, { look, kind }) {
      const now = clock.elapsed();
      // A host that runs jobs waits for their end, whenever that comes.
      const usual = look.hosts.some(runsJobs) ? noUsualEnd : usualEnd();
      const isNear = verdict.kind === 'busy' && kind === 'checked' && usual.quietMs === 0;
      nearSince = isNear ? (nearSince ?? now) : undefined;
      const hint = paceDrain({
        verdict,
        check: kind,
        sinceCheckMs: now - look.at,
        quietMs: usual.quietMs,
        usuallyInMs: usual.inMs,
        nearForMs: now - (nearSince ?? now),
      });
      // A host that responds again shortens the confirmation.
      const isSilent = look.hosts.some((word) => word.kind === 'silent');
      const unansweredMs =
        verdict.kind === 'confirming' && isSilent
          ? outagePollMs(verdict.neededMs, settings.drain)
          : Number.POSITIVE_INFINITY;
      return { kind: 'pending', hint, atMostMs: Math.min(unansweredMs, untilLimitMs()) };
    },
  };
}
