import type { Registration } from '../domain/registration.ts';
import type { RegistrationId, StackShard } from '../domain/shard.ts';
import type { Found } from '../ports/registry.ts';
import type { StageContext } from '../stages/context/context.ts';
import type { Mutex } from '../stages/record/mutex.ts';

type Ports = StageContext['ports'];
type Registry = Ports['registry'];

/**
 * How long whoever is only told what is seen waits for a host: one that hangs is silent for a minute and
 * three quarters, and has said no more by then. Whatever takes something away waits for its word.
 */
export const hostTimeoutMs = 20_000;

/**
 * The same context for one look that several readers share: who serves, and the rows beside it. A runner
 * that is paused meanwhile is told as it was first seen, never paused in one half of the look and not in
 * the other; so are its managers and jobs, a shard's hosts and machines, and whether anything is built of
 * it. What a host says of itself is asked each time: its counts tell by their difference.
 */
export function memoizeReads(
  context: StageContext,
  { hostsWithinMs }: { readonly hostsWithinMs?: number | undefined } = {},
): StageContext {
  const { ports } = context;
  const { registry, host, instances, infrastructure } = ports;
  return {
    ...context,
    ports: {
      ...ports,
      registry: instead(registry, readOnce(registry)),
      host: instead(host, {
        list: once((place) => host.list(place)),
        ...(hostsWithinMs === undefined ? {} : { look: lookWithin(ports, hostsWithinMs) }),
      }),
      instances: instead(instances, { list: once((place) => instances.list(place)) }),
      infrastructure: instead(infrastructure, {
        exists: once((place) => infrastructure.exists(place)),
      }),
    },
  };
}

/** One that has kept this reading waiting for the whole of it is not waited for once more. */
function lookWithin({ host, clock }: Ports, withinMs: number): Ports['host']['look'] {
  const late = new Map<string, { kind: 'silent'; reason: string }>();
  return async (id) => {
    const known = late.get(id);
    if (known !== undefined) return known;
    const from = clock.elapsed();
    const report = await host.look(id, { withinMs });
    if (report.kind === 'silent' && clock.elapsed() - from >= withinMs) late.set(id, report);
    return report;
  };
}

/** The same context for a reader who does not know that the infrastructure is asked in turn. */
export function serializeReads(context: StageContext, building: Mutex): StageContext {
  const { ports } = context;
  const { infrastructure } = ports;
  const exists: typeof infrastructure.exists = (place) =>
    building(() => infrastructure.exists(place));
  return { ...context, ports: { ...ports, infrastructure: instead(infrastructure, { exists }) } };
}

function readOnce(registry: Registry): Partial<Registry> {
  const seen = new Map<RegistrationId, Found<Registration>>();
  const first = (id: RegistrationId, found: Found<Registration>): Found<Registration> => {
    const known = seen.get(id) ?? found;
    seen.set(id, known);
    return known;
  };
  const list = once((shard: StackShard) => registry.findByShard(shard));
  return {
    listWorkers: once((id) => registry.listWorkers(id)),
    listJobs: once((id) => registry.listJobs(id)),
    find: async (id) => seen.get(id) ?? first(id, await registry.find(id)),
    async findByShard(shard, except) {
      const found = (await list(shard)).map((one) => first(one.id, { kind: 'found', value: one }));
      return found.flatMap((one) =>
        one.kind === 'found' && one.value.id !== except ? [one.value] : [],
      );
    },
  };
}

/** A refusal is an answer, too: one half of a look is not told what the other was refused. */
function once<Asked, Answer>(
  read: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (asked) => {
    const key = JSON.stringify(asked);
    const answer = answers.get(key) ?? read(asked);
    answers.set(key, answer);
    return answer;
  };
}

/** A port of the seam's may be no plain object, so that it cannot be copied. */
function instead<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name) as unknown,
  });
}
