import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { isPassing, isPortFailure } from '../../../ports/failure.ts';
import type { Registration } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';

/**
 * Runners that the stacks of one process read again and again. One query of GraphQL reads those of several
 * stacks, and its response is kept for a few seconds.
 */
export interface SharedRunners {
  /**
   * A response that GitLab was asked for at most `maxAgeMs` ago. Undefined if there is none, for whatever
   * reason: then the runner is read by itself.
   */
  find(request: SharedRead): Promise<Registration | undefined>;
  /** The runner was changed: what is kept of it is no longer valid. */
  forget(client: GitLabClient, id: RegistrationId): void;
}

interface SharedRead {
  readonly client: GitLabClient;
  readonly id: RegistrationId;
  readonly maxAgeMs: number;
  readonly query: RunnersQuery;
  /** That one query can read. */
  readonly mostRunners: number;
}

/** The runners that GitLab returned completely. Rejects if it returned no result. */
type RunnersQuery = (
  client: GitLabClient,
  ids: readonly RegistrationId[],
) => Promise<ReadonlyMap<RegistrationId, Registration>>;

interface Wanted {
  /** Each stack has its own. */
  readonly client: GitLabClient;
  readonly askedAt: number;
  readonly response?: Response | undefined;
}

interface Response {
  readonly askedAt: number;
  readonly runners: ReturnType<RunnersQuery>;
}

interface Place {
  readonly wanted: Map<RegistrationId, Wanted>;
  /** Runners that GraphQL does not show to this token, or not completely. */
  readonly hidden: Set<RegistrationId>;
  restsUntil: number;
}

/** A runner that was not read for so long is no longer watched. */
const watchedForMs = 150_000;
const restMs = 60_000;

export function createSharedRunners(clock: Pick<Clock, 'elapsed'>): SharedRunners {
  const places = new Map<string, Place>();
  const placeOf = ({ url }: GitLabClient) => {
    const place = places.get(url) ?? { wanted: new Map(), hidden: new Set(), restsUntil: 0 };
    places.set(url, place);
    return place;
  };

  function ask({ client, id, query, mostRunners }: SharedRead, place: Place): Response | undefined {
    const askedAt = clock.elapsed();
    const watched = [...place.wanted]
      .filter(([other, one]) => other !== id && askedAt - one.askedAt < watchedForMs)
      .filter(([other]) => !place.hidden.has(other))
      // Read longest ago, so due first.
      .sort(([, one], [, other]) => one.askedAt - other.askedAt)
      .slice(0, mostRunners - 1);
    if (watched.every(([, one]) => one.client === client)) return undefined;
    const ids = [id, ...watched.map(([other]) => other)];
    const response = { askedAt, runners: query(client, ids) };
    for (const [other, one] of watched) place.wanted.set(other, { ...one, response });
    return response;
  }

  return {
    async find(request) {
      const { client, id, maxAgeMs } = request;
      const place = placeOf(client);
      const now = clock.elapsed();
      const kept = place.wanted.get(id)?.response;
      place.wanted.set(id, { client, askedAt: now, response: kept });
      if (now < place.restsUntil || place.hidden.has(id)) return undefined;
      const isYoung = kept !== undefined && now - kept.askedAt <= maxAgeMs;
      const response = isYoung ? kept : ask(request, place);
      place.wanted.set(id, { client, askedAt: now, response });
      try {
        const runners = await response?.runners;
        if (runners !== undefined && !runners.has(id)) place.hidden.add(id);
        return runners?.get(id);
      } catch (error) {
        // It was asked in a call of somebody else, which is cancelled.
        if (!isPortFailure(error)) return undefined;
        // What this version or this token does not allow now, it does not allow later.
        place.restsUntil = isPassing(error) ? clock.elapsed() + restMs : Number.POSITIVE_INFINITY;
        return undefined;
      }
    },
    forget(client, id) {
      const { wanted } = placeOf(client);
      const one = wanted.get(id);
      if (one !== undefined) wanted.set(id, { ...one, response: undefined });
    },
  };
}
