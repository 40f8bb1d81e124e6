import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { parseJson } from '../../../domain/text/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { StateStore } from '../../../ports/state-store.ts';

/**
 * What a shard's runners are to be. GitHub keeps no record of a shard, only of each runner, and a
 * runner that boots later has to know its labels: so it stands beside the token, in Parameter Store.
 */
const fleet = z.strictObject({
  schema: z.literal(1),
  labels: z.array(z.string()).readonly(),
  intake: z.enum(['open', 'closed']),
  /** Where a host registers; absent in what was written before there was a choice. */
  group: z.string().optional(),
  /** The newest runner that was listed as the intake was closed, by its number: a later one came after. */
  closedUpTo: z.number().int().min(0).optional(),
  note: z.string(),
});

export type Fleet = z.output<typeof fleet>;

/** Where fleets stand. */
export interface FleetParameters {
  readonly parameters: StateStore;
  nameOf(id: RegistrationId): string;
}

export interface Fleets {
  find(id: RegistrationId): Promise<Fleet | undefined>;
  write(id: RegistrationId, fleet: Fleet): Promise<void>;
  remove(id: RegistrationId): Promise<'removed' | 'absent'>;
}

/** Each look is a request to write; AWS keeps the name of a fleet that was removed back for 30 s. */
const nameCadence = { pollMs: 6000, fineMs: 1000 };
/** 44 seconds. */
const mostChecks = 9;

/**
 * For so long a read may be older than what this process wrote. AWS names no bound (Parameter Store is
 * "eventually consistent"): an assumption, far above what is seen.
 */
const staleMs = 30_000;

interface Written {
  readonly fleet: Fleet;
  readonly version: number;
  /** By the clock's `elapsed`, in ms. */
  readonly at: number;
}

/**
 * What this process has written counts until a read shows it: of a stale one a label that was just taken
 * away would be written back, and a fleet that was just described would be none.
 */
export function createFleets(
  { parameters, nameOf }: FleetParameters,
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
): Fleets {
  /** Last, by the shard's id. */
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
    const created = await pollUntil({ clock, cadence: nameCadence }, async (looks) => {
      const answer = await parameters.create(parameter);
      if (answer.kind === 'created') return done(answer.version);
      const isThere = (await parameters.find(parameter.name)) !== undefined;
      return isThere || looks > mostChecks
        ? done(undefined)
        : pending({ kind: 'fresh' as const, looks });
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

/** Labels that new runners take: none while the intake is closed. */
export function effectiveLabels({ intake, labels }: Fleet): readonly string[] {
  return intake === 'closed' ? [] : labels;
}
