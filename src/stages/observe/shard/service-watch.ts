import {
  hasProductionTags,
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
  /** Sources that the caller has already begun to read. */
  readonly seen?: ShardSources | undefined;
  /** Time limit for the hosts' reports. */
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
    async check(using = context, age?: ReadAge) {
      const { settings, log } = using;
      const sources = next ?? openShardSources(using, shard);
      next = next?.rereadHosts();
      const [found, all] = await allSettledOrThrow(
        () => readShardRegistration(sources, managers, age),
        () => readHostStates(sources, counts, hostsWithinMs),
      );
      checkedAt = sources.openedAt;
      // Includes hosts of other runners: a new manager may not be on the list yet.
      const requestCounts = all.reports.flatMap(({ report }) => report.requests ?? []);
      offersCounts = requestCounts.some((requests) => requests.byRouter !== true);
      isRouted = requestCounts.length > 0 && !offersCounts;
      const { word: hosts, reports } = await excludeForeignHosts(sources, all, {
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
      // A host's counters prove its own process. Jobs are listed only if that is not enough.
      const isCounted = judge(found.word, counted).kind === 'proven';
      const { registration } = found;
      const listed = ended || isCounted ? [] : await workSigns(sources, { registration, canaries });
      const proofAge = (signs: readonly WorkSign[]) => {
        const service = judge(found.word, [...counted, ...signs]);
        return service.kind === 'proven' ? service.ageMs : undefined;
      };
      const where = { registration, managers, hosts, reports, proofAge };
      const work = [...counted, ...(await attributeToManagers(using, listed, where))];
      const verdict = judge(found.word, work);
      const service =
        verdict.kind === 'unknown' ? judge(await withContact(sources, found.word), work) : verdict;
      log.event({ kind: 'service', shard, service });
      return service;
    },
  };
}

/** Returns this run's watch of the shard, which keeps the earlier counters. */
export function watchOfRun(context: StageContext, shard: Shard): ServiceWatch {
  const { watches } = context.memory;
  const watch = watches.get(shard) ?? watchService(context, shard);
  watches.set(shard, watch);
  return watch;
}

/** Restarts the timer of a watch, because another check has verified the shard. */
export function resetUnprovenTimer({ memory }: StageContext, shard: Shard): void {
  const watch = memory.watches.get(shard);
  if (watch !== undefined) watch.unprovenSince = undefined;
}

/** An idle runner sends a request every three seconds, unless Workhorse holds the connection. */
const secondCheckMs = 4000;

/** Checks the shard once, for callers that prefer a fast result. */
export async function checkServiceOnce(
  context: StageContext,
  shard: Shard,
  options?: WatchOptions,
): Promise<Service> {
  return watchService(context, shard, options).check();
}

/** Checks the shard for a text: with the age of an old proof, and twice for an idle host. */
export async function checkService(
  context: StageContext,
  shard: Shard,
  options?: WatchOptions,
): Promise<Service> {
  const watch = watchService(context, shard, options);
  const { clock } = context.ports;
  return pollUntil({ clock, cadence: { pollMs: secondCheckMs } }, async (polls) => {
    const service = await watch.check();
    return service.kind === 'unknown' && watch.mayGrow() && polls < 2 ? pending() : done(service);
  });
}

/** Explains, before an activation, why no process can take a job; undefined if one may. */
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
  /** Whether the managers were listed in this check. */
  readonly isFresh?: boolean;
}

async function readShardRegistration(
  sources: ShardSources,
  managers: ObservedManagers,
  age?: ReadAge,
): Promise<SeenRegistration> {
  const { context, shard } = sources;
  try {
    const registration = await chooseRegistration(sources, age);
    if (registration === undefined) return { word: { kind: 'none' } };
    const { id } = registration;
    if (registration.paused) return { word: { kind: 'closed', id, why: 'paused' }, registration };
    if (!hasProductionTags(registration, ofShard(context, shard)))
      return { word: { kind: 'closed', id, why: 'no_production_tag' }, registration };
    const isFresh = await refreshManagers(sources, managers, registration);
    const isConfigured = takesConfiguredJobs(registration, context.settings);
    return { word: { kind: 'open', id, isConfigured }, registration, isFresh };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { word: { kind: 'unknown', reason: error.message } };
  }
}

/** A contact proves nothing, but hours without a contact are strong evidence. */
async function withContact(
  sources: ShardSources,
  word: RegistrationReading,
): Promise<RegistrationReading> {
  if (word.kind !== 'open') return word;
  try {
    const contactAgeMs = await contactAge(sources, word.id as RegistrationId);
    return contactAgeMs === undefined ? word : { ...word, contactAgeMs };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return word;
  }
}

/** Returns the recorded runner. If it was replaced manually, finds one by its description. */
async function chooseRegistration(
  sources: ShardSources,
  age?: ReadAge,
): Promise<Registration | undefined> {
  const { context, shard } = sources;
  const of = ofShard(context, shard);
  const isAccepting = (one: Registration) => !one.paused && hasProductionTags(one, of);
  const { registration: recorded } = shardEntry(of.record, shard);
  if (age !== undefined) {
    const found = recorded && (await findRegistration(context, recorded, age));
    // A result against the shard is read again, without an aged response.
    return found && isAccepting(found) ? found : chooseRegistration(sources);
  }
  const found = recorded && (await sources.registration(recorded));
  if (found) return found;
  const listed = await sources.registrations();
  return listed.find(isAccepting) ?? listed[0];
}
