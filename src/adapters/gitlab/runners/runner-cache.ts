import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { isPassing, isPortFailure } from '../../../ports/failure.ts';
import type { Registration } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';

/**
 * Runners that the stacks of one process read repeatedly. One GraphQL query reads the runners of
 * several stacks, and its response is cached for a few seconds.
 */
export interface SharedRunners {
  /**
   * Finds a response whose request is at most `maxAgeMs` old. Undefined if there is none: the
   * runner is then read separately.
   */
  find(request: SharedRead): Promise<Registration | undefined>;
  /** Discards the cached response after a change of the runner. */
  forget(client: GitLabClient, id: RegistrationId): void;
}

interface SharedRead {
  readonly client: GitLabClient;
  readonly id: RegistrationId;
  readonly maxAgeMs: number;
  readonly query: RunnersQuery;
  /** Number of runners that one query can read. */
  readonly mostRunners: number;
}

/** Returns the runners that GitLab reported completely. Rejects without a result. */
type RunnersQuery = (
  client: GitLabClient,
  ids: readonly RegistrationId[],
) => Promise<ReadonlyMap<RegistrationId, Registration>>;

interface Wanted {
  /** Client of the stack. */
  readonly client: GitLabClient;
  readonly requestedAt: number;
  readonly response?: Response | undefined;
}

interface Response {
  readonly requestedAt: number;
  readonly runners: ReturnType<RunnersQuery>;
}

interface Place {
  readonly wanted: Map<RegistrationId, Wanted>;
  /** Runners that GraphQL hides from this token, completely or partly. */
  readonly hidden: Set<RegistrationId>;
  restsUntil: number;
}

/** Time without a read after which a runner is no longer included. */
const watchedForMs = 150_000;
const restMs = 60_000;

export function createSharedRunners(clock: Pick<Clock, 'elapsed'>): SharedRunners {
  const places = new Map<string, Place>();
  const placeOf = ({ url }: GitLabClient) => {
    const place = places.get(url) ?? { wanted: new Map(), hidden: new Set(), restsUntil: 0 };
    places.set(url, place);
    return place;
  };

  function sendQuery(
    { client, id, query, mostRunners }: SharedRead,
    place: Place,
  ): Response | undefined {
    const queriedAt = clock.elapsed();
    const watched = [...place.wanted]
      .filter(([other, one]) => other !== id && queriedAt - one.requestedAt < watchedForMs)
      .filter(([other]) => !place.hidden.has(other))
      // The oldest read is due first.
      .sort(([, one], [, other]) => one.requestedAt - other.requestedAt)
      .slice(0, mostRunners - 1);
    if (watched.every(([, one]) => one.client === client)) return undefined;
    const ids = [id, ...watched.map(([other]) => other)];
    const response = { requestedAt: queriedAt, runners: query(client, ids) };
    for (const [other, one] of watched) place.wanted.set(other, { ...one, response });
    return response;
  }

  return {
    async find(request) {
      const { client, id, maxAgeMs } = request;
      const place = placeOf(client);
      const now = clock.elapsed();
      const kept = place.wanted.get(id)?.response;
      place.wanted.set(id, { client, requestedAt: now, response: kept });
      if (now < place.restsUntil || place.hidden.has(id)) return undefined;
      const isYoung = kept !== undefined && now - kept.requestedAt <= maxAgeMs;
      const response = isYoung ? kept : sendQuery(request, place);
      place.wanted.set(id, { client, requestedAt: now, response });
      try {
        const runners = await response?.runners;
        if (runners !== undefined && !runners.has(id)) place.hidden.add(id);
        return runners?.get(id);
      } catch (error) {
        // Another caller made the request, and that call was cancelled.
        if (!isPortFailure(error)) return undefined;
        // A permanent refusal of this version or token is not retried.
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
