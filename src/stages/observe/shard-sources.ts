import { shardEntry } from '../../domain/deployment/record.ts';
import type { Instance } from '../../domain/instance.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { answerOr } from '../../ports/failure.ts';
import type { Found, Registration, RegistryJob, Worker } from '../../ports/registry.ts';
import type { Host, RunnerHost } from '../../ports/runner-host.ts';
import { recordOf, type StageContext } from '../context/context.ts';
import { readTimestamps, type Timestamps } from '../context/timestamps.ts';
import type { Mutex } from '../record/mutex.ts';

/**
 * One check of a shard. Each source is queried once, on first use, and gives every reader the same
 * response or the same error. Effects made meanwhile appear only in another check.
 */
export interface ShardSources {
  readonly context: StageContext;
  readonly shard: Shard;
  readonly openedAt: Timestamps;
  /** Lists runners by description, and by the record's id in case the runner was renamed. */
  registrations(): Promise<readonly Registration[]>;
  /** Reads the runner, from the list if that was read; undefined if it is absent. */
  registration(id: RegistrationId): Promise<Registration | undefined>;
  /** Lists the other runners with the shard's description. */
  others(own: RegistrationId | undefined): Promise<readonly Registration[]>;
  workers(id: RegistrationId): Promise<readonly Worker[]>;
  jobs(id: RegistrationId): Promise<readonly RegistryJob[]>;
  hosts(): Promise<readonly Host[]>;
  report(host: string): Promise<SeenReport>;
  instances(): Promise<readonly Instance[]>;
  infrastructure(): ReturnType<StageContext['ports']['infrastructure']['exists']>;
  /**
   * Returns the same check with each host queried once more, because its counters matter by their
   * difference. A host that exceeded the whole limit is not queried again.
   */
  rereadHosts(): ShardSources;
}

interface SeenReport {
  readonly report: Awaited<ReturnType<RunnerHost['look']>>;
  /** Monotonic time of the query. A hanging host delays the reports of all others. */
  readonly requestedAt: number;
  readonly isLate: boolean;
}

interface SourceOptions {
  /** Time limit for the hosts' reports. */
  readonly hostsWithinMs?: number | undefined;
  /** Serializes the infrastructure queries of a caller that checks several shards. */
  readonly inTurn?: Mutex;
}

export function openShardSources(
  context: StageContext,
  shard: Shard,
  { hostsWithinMs: withinMs, inTurn = (request) => request() }: SourceOptions = {},
): ShardSources {
  const { ports, settings } = context;
  const { registry, host, instances, infrastructure, clock } = ports;
  const place = { runnerName: settings.runnerName, shard };
  let listed: Promise<readonly Registration[]> | undefined;
  const list = () => {
    listed ??= registry.findByShard(place);
    return listed;
  };
  const find = once(async (id: RegistrationId) => valueOr(await registry.find(id), undefined));
  const readReport = async (id: string): Promise<SeenReport> => {
    const queriedAt = clock.elapsed();
    const report = await (withinMs === undefined ? host.look(id) : host.look(id, { withinMs }));
    const tookMs = clock.elapsed() - queriedAt;
    const isLate = report.kind === 'silent' && tookMs >= (withinMs ?? Infinity);
    return { report, requestedAt: queriedAt, isLate };
  };
  const sources = {
    context,
    shard,
    openedAt: readTimestamps(context),
    async registrations() {
      const found = await list();
      const { registration: recorded } = shardEntry(recordOf(context), shard);
      if (recorded === undefined || found.some(({ id }) => id === recorded)) return found;
      const one = await find(recorded);
      return one === undefined ? found : [...found, one];
    },
    async registration(id: RegistrationId) {
      const found = listed === undefined ? [] : await answerOr(list, []);
      return found.find((one) => one.id === id) ?? find(id);
    },
    async others(own: RegistrationId | undefined) {
      if (listed === undefined) return registry.findByShard(place, own);
      return (await list()).filter(({ id }) => id !== own);
    },
    workers: once(async (id: RegistrationId) => valueOr(await registry.listWorkers(id), [])),
    jobs: once(async (id: RegistrationId) => valueOr(await registry.listJobs(id), [])),
    hosts: once(() => host.list(place)),
    instances: once(() => instances.list(place)),
    infrastructure: once(() => inTurn(() => infrastructure.exists(place))),
  };
  const withReport = (report: ShardSources['report']): ShardSources => ({
    ...sources,
    report,
    rereadHosts: () =>
      withReport(
        once(async (id) => {
          const before = await answerOr(() => report(id), undefined);
          return before?.isLate === true ? before : readReport(id);
        }),
      ),
  });
  return withReport(once(readReport));
}

function valueOr<Value, Otherwise>(found: Found<Value>, otherwise: Otherwise): Value | Otherwise {
  return found.kind === 'found' ? found.value : otherwise;
}

function once<Asked extends readonly string[], Answer>(
  read: (...args: Asked) => Promise<Answer>,
): (...args: Asked) => Promise<Answer> {
  const answers = new Map<string | undefined, Promise<Answer>>();
  return (...args) => {
    const [key] = args;
    const answer = answers.get(key) ?? read(...args);
    answers.set(key, answer);
    return answer;
  };
}
