import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { lookUntil, notYet, seen } from '../../../ports/look-until.ts';
import type { ParameterStore } from '../../../ports/parameters.ts';

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
  note: z.string(),
});

export type Fleet = z.output<typeof fleet>;

export interface Fleets {
  readonly parameters: ParameterStore;
  nameOf(id: RegistrationId): string;
}

export async function findFleet(fleets: Fleets, id: RegistrationId): Promise<Fleet | undefined> {
  const name = fleets.nameOf(id);
  const found = await fleets.parameters.find(name);
  if (found === undefined) return undefined;
  const parsed = fleet.safeParse(parse(found.value));
  if (parsed.success) return parsed.data;
  throw new PortFailure({
    kind: 'unexpected',
    effect: 'none',
    source: `Parameter Store ${name}`,
    detail: 'it does not describe the runners of a shard',
  });
}

/** Each look is a request to write; AWS keeps the name of a fleet that was removed back for 30 s. */
const nameCadence = { pollMs: 6000, fineMs: 1000 };
/** 44 seconds. */
const mostLooks = 9;

export async function writeFleet(
  { parameters, nameOf }: Fleets,
  clock: Clock,
  { id, fleet: wished }: { readonly id: RegistrationId; readonly fleet: Fleet },
): Promise<void> {
  const parameter = { name: nameOf(id), value: JSON.stringify(wished) };
  const isWritten = await lookUntil({ clock, cadence: nameCadence }, async (looks) => {
    if ((await parameters.create(parameter)).kind === 'created') return seen(true);
    const isThere = (await parameters.find(parameter.name)) !== undefined;
    return isThere || looks > mostLooks ? seen(false) : notYet({ kind: 'fresh', looks });
  });
  if (!isWritten) await parameters.overwrite(parameter);
}

/** Labels that new runners take: none while the intake is closed. */
export function effectiveLabels({ intake, labels }: Fleet): readonly string[] {
  return intake === 'closed' ? [] : labels;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
