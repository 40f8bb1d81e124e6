import {
  servesByItsTags,
  takesConfiguredJobs,
} from '../../../domain/deployment/guards/runner-tags.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import type { RegistrationReading, WorkSign } from '../../../domain/health/service-observation.ts';
import { judgeService, type Service } from '../../../domain/health/service-verdict.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { ReadAge, Registration } from '../../../ports/registry.ts';
import { ofShard, type StageContext, wordsOf } from '../../context/context.ts';
import { allSettledOrThrow } from '../../context/parallel.ts';
import type { ServiceWatch } from '../../context/run-memory.ts';
import { proofLifetimeMs, type Timestamps } from '../../context/timestamps.ts';
import { contactAge, whyEndedUnasked } from '../host-ends.ts';
import { findRegistration } from '../observe.ts';
import { openShardSources, type ShardSources } from '../shard-sources.ts';
import { excludeForeignHosts, type ObservedManagers, refreshManagers } from './host-ownership.ts';
import { readHostStates } from './host-view.ts';
import { attributeToManagers } from './job-attribution.ts';
import {
  type Counted,
  forgetOldCounts,
  requestSigns,
  type TakenCanary,
  workSigns,
} from './work-signs.ts';

interface WatchOptions {
  /** What the caller has begun to read. */
  readonly seen?: ShardSources | undefined;
  /** Hosts that have not said by then whether their shard serves are not waited for. */
  readonly hostsWithinMs?: number | undefined;
}

export function watchService(
  context: StageContext,
  shard: Shard,
  { seen, hostsWithinMs }: WatchOptions = {},
): ServiceWatch {
  const counts = new Map<string, Counted>();
  const managers: ObservedManagers = { workers: new Map() };
  const canaries: TakenCanary[] = [];
  let offersCounts = false;
  let isRouted = false;
  let checkedAt: Timestamps | undefined;
  let next = seen;
  return {
    shard,
    unprovenSince: undefined,
    checkedAt: () => checkedAt,
    beginProof() {
      const now = context.ports.clock.elapsed();
      forgetOldCounts(counts, now);
      if (now - (managers.readAt ?? now) > proofLifetimeMs) managers.id = undefined;
    },
    mayGrow: () => offersCounts,
    isRouted: () => isRouted,
    tookCanary(job, workers = []) {
      canaries.push({ job, workers, at: context.ports.clock.elapsed() });
    },
    async look(using = context, age?: ReadAge) {
      const { settings, log } = using;
      const look = next ?? openShardSources(using, shard);
      next = next?.rereadHosts();
      const [found, all] = await allSettledOrThrow(
        () => readShardRegistration(look, managers, age),
        () => readHostStates(look, counts, hostsWithinMs),
      );
      checkedAt = look.openedAt;
      // Also of one that is another's: a manager that has just come may not be on the list yet.
      const asking = all.reports.flatMap(({ report }) => report.requests ?? []);
      offersCounts = asking.some((requests) => requests.byRouter !== true);
      isRouted = asking.length > 0 && !offersCounts;
      const { word: hosts, reports } = await excludeForeignHosts(look, all, {
        ...found,
        managers,
      });
      const judge = (registration: RegistrationReading, work: readonly WorkSign[]) =>
        judgeService(
          { shard, registration, hosts, work },
          { evidenceMaxAgeMs: settings.healthcheck.evidenceMaxAgeMs, words: wordsOf(using) },
        );
      const ended = hosts.kind === 'gone' || found.word.kind !== 'open';
      const counted = ended ? [] : requestSigns(using, reports, counts);
      // What a host counts is of its own process, and proves enough: only otherwise the registry lists jobs.
      const isCounted = judge(found.word, counted).kind === 'proven';
      const { registration } = found;
      const told = ended || isCounted ? [] : await workSigns(look, { registration, canaries });
      const proofAge = (signs: readonly WorkSign[]) => {
        const service = judge(found.word, [...counted, ...signs]);
        return service.kind === 'proven' ? service.ageMs : undefined;
      };
      const where = { registration, managers, hosts, reports, proofAge };
      const work = [...counted, ...(await attributeToManagers(using, told, where))];
      const judged = judge(found.word, work);
      const service =
        judged.kind === 'unknown' ? judge(await withContact(look, found.word), work) : judged;
      log.event({ kind: 'service', shard, service });
      return service;
    },
  };
}

/** The one of this run, which knows what was counted before. */
export function watchOfRun(context: StageContext, shard: Shard): ServiceWatch {
  const { watches } = context.memory;
  const watch = watches.get(shard) ?? watchService(context, shard);
  watches.set(shard, watch);
  return watch;
}

/** Somebody has proven it apart from that watch: whoever waits for a proof waits from now on. */
export function resetUnprovenTimer({ memory }: StageContext, shard: Shard): void {
  const watch = memory.watches.get(shard);
  if (watch !== undefined) watch.unprovenSince = undefined;
}

/** An idle runner that is not held by Workhorse asks every three seconds. */
const secondCheckMs = 4000;

/** One look, for whom an answer at once is worth more. */
export async function checkServiceOnce(
  context: StageContext,
  shard: Shard,
  options?: WatchOptions,
): Promise<Service> {
  return watchService(context, shard, options).look();
}

/** For words: an old proof is told with its age, and what an idle host counts is looked at twice. */
export async function checkService(
  context: StageContext,
  shard: Shard,
  options?: WatchOptions,
): Promise<Service> {
  const watch = watchService(context, shard, options);
  const { clock } = context.ports;
  return pollUntil({ clock, cadence: { pollMs: secondCheckMs } }, async (looks) => {
    const service = await watch.look();
    return service.kind === 'unknown' && watch.mayGrow() && looks < 2 ? pending() : done(service);
  });
}

/** Why no process of it can take a job, for whom it is to be activated; undefined where one may. */
export async function whyEnded(
  context: StageContext,
  { id, shard, service }: { id: RegistrationId; shard: Shard; service: Service },
): Promise<string | undefined> {
  if (service.kind === 'disproven') return service.reason;
  return service.kind === 'proven'
    ? undefined
    : whyEndedUnasked(openShardSources(context, shard), id);
}

interface SeenRegistration {
  readonly word: RegistrationReading;
  readonly registration?: Registration;
  /** Whether its managers were listed just now. */
  readonly isFresh?: boolean;
}

async function readShardRegistration(
  look: ShardSources,
  managers: ObservedManagers,
  age?: ReadAge,
): Promise<SeenRegistration> {
  const { context, shard } = look;
  try {
    const registration = await chooseRegistration(look, age);
    if (registration === undefined) return { word: { kind: 'none' } };
    const { id } = registration;
    if (registration.paused) return { word: { kind: 'closed', id, why: 'paused' }, registration };
    if (!servesByItsTags(registration, ofShard(context, shard)))
      return { word: { kind: 'closed', id, why: 'no_production_tag' }, registration };
    const isFresh = await refreshManagers(look, managers, registration);
    const isConfigured = takesConfiguredJobs(registration, context.settings);
    return { word: { kind: 'open', id, isConfigured }, registration, isFresh };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { word: { kind: 'unknown', reason: error.message } };
  }
}

/** A contact proves nothing, and its absence for hours says much. */
async function withContact(
  look: ShardSources,
  word: RegistrationReading,
): Promise<RegistrationReading> {
  if (word.kind !== 'open') return word;
  try {
    const contactAgeMs = await contactAge(look, word.id as RegistrationId);
    return contactAgeMs === undefined ? word : { ...word, contactAgeMs };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return word;
  }
}

/** The record's own; one that was replaced by hand is found by its description. */
async function chooseRegistration(
  look: ShardSources,
  age?: ReadAge,
): Promise<Registration | undefined> {
  const { context, shard } = look;
  const of = ofShard(context, shard);
  const serves = (one: Registration) => !one.paused && servesByItsTags(one, of);
  const { registration: recorded } = shardEntry(of.record, shard);
  if (age !== undefined) {
    const found = recorded && (await findRegistration(context, recorded, age));
    // Whatever would end the service is read now.
    return found && serves(found) ? found : chooseRegistration(look);
  }
  const found = recorded && (await look.registration(recorded));
  if (found) return found;
  const listed = await look.registrations();
  return listed.find(serves) ?? listed[0];
}
