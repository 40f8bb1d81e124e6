import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { parseJson } from '../../../domain/text/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { StateStore } from '../../../ports/state-store.ts';

/**
 * Labels, group and intake of a shard's runners. GitHub has records of runners but not of shards,
 * and a runner that boots later needs its labels. The fleet is therefore stored beside the token,
 * in Parameter Store.
 */
const fleet = z.strictObject({
  schema: z.literal(1),
  labels: z.array(z.string()).readonly(),
  intake: z.enum(['open', 'closed']),
  /** Group in which a host registers. Absent in fleets from before groups were supported. */
  group: z.string().optional(),
  /** Highest runner id at the time of the pause. A runner with a higher id registered later. */
  closedUpTo: z.number().int().min(0).optional(),
  note: z.string(),
});

export type Fleet = z.output<typeof fleet>;

/** Parameters that store fleets. */
export interface FleetParameters {
  readonly parameters: StateStore;
  nameOf(id: RegistrationId): string;
}

export interface Fleets {
  find(id: RegistrationId): Promise<Fleet | undefined>;
  write(id: RegistrationId, fleet: Fleet): Promise<void>;
  remove(id: RegistrationId): Promise<'removed' | 'absent'>;
}

/**
 * Cadence of attempts to create the parameter: AWS reserves the name of a removed parameter for 30
 * s.
 */
const nameCadence = { pollMs: 6000, fineMs: 1000 };
/** Number of checks, for 44 seconds. */
const mostChecks = 9;

/**
 * Time for which a read may be older than this process's write. AWS documents no limit (Parameter
 * Store is "eventually consistent"). This value is an assumption, far above observed delays.
 */
const staleMs = 30_000;

interface Written {
  readonly fleet: Fleet;
  readonly version: number;
  /** Milliseconds of the clock's `elapsed`. */
  readonly at: number;
}

/**
 * Creates the access to fleets. A fleet that this process wrote counts until a read returns it. A
 * stale read could restore a removed label, or hide a new fleet.
 */
export function createFleets(
  { parameters, nameOf }: FleetParameters,
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
): Fleets {
  /** Last write by the shard's id. */
  const written = new Map<RegistrationId, Written>();
  async function find(id: RegistrationId): Promise<Fleet | undefined> {
    const found = await parameters.find(nameOf(id));
    const own = written.get(id);
    if (own !== undefined && clock.elapsed() - own.at < staleMs) {
      if ((found?.version ?? 0) < own.version) return own.fleet;
    }
    return found === undefined ? undefined : readFleet(nameOf(id), found.value);
  }

  async function write(id: RegistrationId, wished: Fleet): Promise<void> {
    const parameter = { name: nameOf(id), value: JSON.stringify(wished) };
    const created = await pollUntil({ clock, cadence: nameCadence }, async (polls) => {
      const answer = await parameters.create(parameter);
      if (answer.kind === 'created') return done(answer.version);
      const isThere = (await parameters.find(parameter.name)) !== undefined;
      return isThere || polls > mostChecks
        ? done(undefined)
        : pending({ kind: 'fresh' as const, polls });
    });
    const version = created ?? (await parameters.overwrite(parameter)).version;
    written.set(id, { fleet: wished, version, at: clock.elapsed() });
  }

  return {
    find,
    write,
    remove: (id) => {
      written.delete(id);
      return parameters.remove(nameOf(id));
    },
  };
}

function readFleet(name: string, value: string): Fleet {
  const parsed = fleet.safeParse(parseJson(value));
  if (parsed.success) return parsed.data;
  throw new PortFailure({
    kind: 'unexpected',
    effect: 'none',
    source: `Parameter Store ${name}`,
    detail: 'it does not describe the runners of a shard',
  });
}

/** Returns the labels for new runners: none while the fleet is paused. */
export function effectiveLabels({ intake, labels }: Fleet): readonly string[] {
  return intake === 'closed' ? [] : labels;
}
